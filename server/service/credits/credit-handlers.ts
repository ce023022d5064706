import { loanTypes } from "../loan-types/loan-types.ts";
import { putLoanType } from "../loan-types/put-loan-type.ts";
import { addQuota } from "../quota/add-quota.ts";
import { dischargeQuota } from "../quota/discharge-quota.ts";
import { previewAddQuota } from "../quota/preview-add-quota.ts";
import { previewDischargeQuota } from "../quota/preview-discharge-quota.ts";
import type { ServiceContext } from "../shared/service-context.ts";
import { cancelCredit } from "./cancel-credit.ts";
import { credits } from "./credits.ts";
import { importCredit } from "./import-credit.ts";
import { repayCredit } from "./repay-credit.ts";
import { writeOffCredit } from "./write-off-credit.ts";

/** Builds the handlers of the operations on quota, credits and loan types. */
export function creditHandlers(service: ServiceContext) {
  return {
    addQuota: addQuota(service),
    dischargeQuota: dischargeQuota(service),
    previewAddQuota: previewAddQuota(service),
    previewDischargeQuota: previewDischargeQuota(service),
    credits: credits(service),
    repayCredit: repayCredit(service),
    writeOffCredit: writeOffCredit(service),
    cancelCredit: cancelCredit(service),
    importCredit: importCredit(service),
    loanTypes: loanTypes(service),
    putLoanType: putLoanType(service),
  };
}
