// Which occupations belong to which category of job postings, by the words of their titles: a judgement made by hand,
// once, before anything was ranked. Neither the category nor the titles are shown to the rankers.

import { part, type Row } from './listings.ts';

const FAMILIES: Readonly<Record<string, RegExp>> = {
  'Engineering, Architecture, & Planning':
    /(?<!Operating )\bEngineer(s|ing)\b(?!.*(Teach|Loco|Rail|Sound|Sales|Operat))|Architect(s|ural)|Planners|Surveying/,
  'Public Safety, Inspections, & Enforcement':
    /Police|Inspect|Correctional|Security|Firefight|Investigat|Wardens|Screeners|Loss Prevention|Forensic|Safety|Bailiff/,
  'Legal Affairs': /Judges|Legal|Law\b(?! Enf)|Court|Title Examin|Compliance|Magistrate/,
  'Administration & Human Resources':
    /Administrative|Human Resources|Secretar|Clerk|Compensation|Training and Dev|Typists|Data Entry|Office/,
  'Social Services': /Social (Work|Sci)|Counselor|Therapists|Residential Advis|Personal Care|Childcare|Patient Rep/,
  'Technology, Data & Innovation':
    /Computer (Sci|Hard)|Software|Data(?! Entry)|Bioinformatics|Network|Statistical|Telecomm/,
  'Finance, Accounting, & Procurement':
    /Financ|Account|Audit|Budget|Credit|Tax|Purchas|Buyers|Loan|Actuar|Billing|Fraud/,
  Health: /Nurs|Physician|Medical|Health|Clinical|Medicine|Dental|Therap|Dietit|Psychi|Midwi|Pediatric|Paramedic|Surg/,
  'Building Operations & Maintenance':
    /Maintenance|Carpent|Cleaner|Heating|Facilities|Repairers|Insulation|Painters, Con|Roofers|Glaziers|Locksmith|Construction|Cement|Pipelay|Drywall/,
  'Communications & Intergovernmental Affairs':
    /Public Relations|Editors|Writers|Communications Teach|Marketing|Broadcast|Desktop|Fundrais|Correspondence|Art Direct/,
  'Policy, Research & Analysis': /Research|Analyst|Scientists|Statisti|Sociolog|Mathemat/,
};

/** The families of a posting, by its category. "Health" may stand before another category's name. */
export function familiesOfPosting(row: Row): string[] {
  return part(row, 'Category')
    .split(';')
    .map((name) => name.trim())
    .flatMap((name) => (name.startsWith('Health ') ? ['Health', name.slice('Health '.length)] : [name]))
    .filter((name) => name in FAMILIES);
}

/** The families of an occupation, by its title. */
export function familiesOfTitle(title: string): string[] {
  return Object.entries(FAMILIES).flatMap(([name, pattern]) => (pattern.test(title) ? [name] : []));
}
