// The map's legend, taken from below the map into a dialog.
export function legendIn(dialog, svg) {
  const group = svg.querySelector("g.legend");
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  picture.setAttribute("class", "grognard-map");
  picture.append(group);
  dialog.append(picture);
  return () => {
    dialog.showModal();
    const { x, y, width, height } = group.getBBox();
    picture.setAttribute("viewBox", `${x - 8} ${y - 8} ${width + 16} ${height + 16}`);
  };
}
