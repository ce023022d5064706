// The customer's page: leads to the app for the person's leave, and shows the quota once there is one.

// A shop keeps the grant in the customer's account; the demo has no accounts, so it stays in the address.
const grant = new URL(location.href).searchParams.get("cupo_grant");
const answer = document.querySelector("#answer");
const connect = document.querySelector("#connect");

async function offerToConnect() {
  const response = await fetch("/demo/customer");
  if (!response.ok) throw new Error(`the shop answered ${response.status}`);
  connect.href = (await response.json()).connect;
}

function showQuota(granted) {
  const quota = document.createElement("user-quota");
  quota.setAttribute("session-url", `/demo/quota-session?grant=${encodeURIComponent(granted)}`);
  // Whoever has connected is asked again only when the permission is gone.
  connect.hidden = true;
  quota.addEventListener("quota-error", ({ detail }) => {
    connect.hidden = detail.recovering;
  });
  document.querySelector("#quota").replaceChildren(quota);
}

await offerToConnect();
if (grant === "none") answer.textContent = "No se conectó: no diste el permiso.";
else if (grant !== null) showQuota(grant);
