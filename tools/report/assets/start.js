// Fills the page.
showFacts();
showTimes();
setUpTabs();
showTransposes();
showPasses();
showChanges();
showFusion();
showDifferences();
setUpGraph();
openTab("transposes");
