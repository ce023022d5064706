// The customer's page: links to the app for the person's consent, and shows the quota once it is given.

// The shop keeps the grant in the customer's account: nothing of it is in the page or its address.
const answer = document.querySelector("#answer");
const connect = document.querySelector("#connect");

async function askShop() {
  const response = await fetch("/demo/customer");
  if (!response.ok) throw new Error(`the shop answered ${response.status}`);
  return response.json();
}

function showQuota() {
  const quota = document.createElement("user-quota");
  quota.setAttribute("session-url", "/demo/quota-session");
  quota.addEventListener("quota-error", ({ detail }) => {
    connect.hidden = detail.recovering;
  });
  document.querySelector("#quota").replaceChildren(quota);
}

const customer = await askShop();
connect.href = customer.connect;
// A connected customer is asked again only when the permission is gone.
connect.hidden = customer.connected;
if (customer.connected) showQuota();
else if (customer.refused) answer.textContent = "No se conectó: no diste el permiso.";
