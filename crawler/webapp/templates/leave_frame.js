
// The frame of the host may neither open windows nor leave its place; the page around it may.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (!link || window.parent === window || !/^https?:$/.test(link.protocol)) return;
  const root = document.body.dataset.root;
  const ours = link.origin === location.origin;
  if (ours && (link.pathname === root || link.pathname.startsWith(`${root}/`))) return;
  event.preventDefault();
  const twin = window.parent.document.createElement("a");
  twin.href = link.href;
  if (!ours) Object.assign(twin, { target: "_blank", rel: "noopener noreferrer" });
  window.parent.document.body.append(twin);
  twin.click();
  twin.remove();
});
