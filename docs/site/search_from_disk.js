// Browsers start no worker and fetch nothing for a page that was opened from disk. The search of the theme then runs in
// a hidden frame in place of a worker, and reads search/search_index.js, which site_hooks.py writes.
"use strict";

if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.srcdoc = "<!doctype html><title>search</title>";
      this.ready = new Promise((resolve) => frame.addEventListener("load", () => resolve(this.start(frame, url))));
      document.documentElement.append(frame);
    }

    start(frame, url) {
      const inside = frame.contentWindow;
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      inside.importScripts = (...files) => Promise.all(files.map((file) => this.load(inside, file)));
      return this.load(inside, url).then(() => inside);
    }

    load(inside, url) {
      const script = inside.document.createElement("script");
      script.src = new URL(url, document.baseURI).href;
      const loaded = new Promise((resolve, reject) => {
        script.addEventListener("load", resolve);
        script.addEventListener("error", reject);
      });
      inside.document.head.append(script);
      return loaded;
    }

    postMessage(data) {
      this.ready.then((inside) => inside.dispatchEvent(new inside.MessageEvent("message", { data })));
    }
  };
}
