// Fills the page.
setUpTheme();
showTimes();
setUpTabs();
showOverview();
showPasses();
showFusion();
showDifferences();
setUpGraph();
openTab("overview");
