"""Numbers of a deck that contradict each other are found, and numbers that agree are left alone."""

from __future__ import annotations

import pytest

from audit.fundamentals import analyse
from audit.types import Submission

CONTRADICTIONS = [
    # recurring revenue
    ("mrr_arr", "MRR is $40k.\nARR is $1.2M."),
    ("mrr_arr", "We have reached $25,000 in MRR ($500k ARR)."),
    ("mrr_arr", "- MRR: €12,000\n- ARR: €90,000"),
    ("mrr_arr", "月经常性收入为20万元。\n年化收入达到500万元。"),
    ("mrr_arr", "Los ingresos mensuales son de 10.000 €. El ARR es de 300.000 €."),
    ("mrr_arr", "Der Monatsumsatz beträgt 20.000 €. ARR: 500.000 €."),
    # customers times what they pay
    ("users_revenue", "We have 200 paying customers. ARPU is $50 a month. MRR is $45,000."),
    ("users_revenue", "120 paying clinics.\nAverage revenue per clinic: €300 a month.\nARR: €1.5M"),
    ("users_revenue", "付费客户100家，每客户平均收入1000元/月。月收入80万元。"),
    # percentages above 100
    ("over_100", "Gross margin is 130%."),
    ("over_100", "We hold 120% of the market in our city."),
    ("over_100", "Retention of 104% after 12 months."),
    ("over_100", "我们的毛利率为120%。"),
    # a part larger than its whole
    ("part_whole", "50,000 registered users. 80,000 monthly active users."),
    ("part_whole", "MAU: 10,000. DAU: 14,000."),
    ("part_whole", "TAM: $2bn. SAM: $5bn. SOM: $100M."),
    ("part_whole", "注册用户5万，月活8万。"),
    # cash, burn, runway
    ("runway", "We burn $100k a month and have $400k in the bank. Runway: 12 months."),
    ("runway", "Cash: €600,000\nBurn: €50,000 a month\nRunway: 24 months"),
    ("runway", "每月支出50万元，账上现金200万元，可支撑18个月。"),
    ("runway", "We spend ₹10 lakh a month. Cash in the bank is ₹30 lakh, which gives eight months of runway."),
    # round and valuation
    ("pre_post", "Raising $2M at $8M pre-money, $12M post-money."),
    ("pre_post", "本轮融资1000万元，投前估值4000万元，投后估值8000万元。"),
    ("stake", "We are raising $1M for 10% of the company at a pre-money valuation of $4M."),
    ("stake", "We raise €500k for 5% equity at a valuation of €3M."),
    ("stake", "计划融资500万元，出让5%股份，投后估值5000万元。"),
    # use of funds
    ("use_of_funds", "Use of funds: 50% engineering, 40% sales, 30% marketing."),
    ("use_of_funds", "Use of funds\n- 60% product\n- 30% sales\n- 25% operations"),
    ("use_of_funds", "Use of funds\n- Engineering: 40%\n- Sales: 20%\n- Legal: 10%"),
    ("use_of_funds", "资金用途：研发50%，市场40%，运营20%。"),
    ("use_of_funds", "Mittelverwendung: 50 % Entwicklung, 40 % Vertrieb, 25 % Verwaltung."),
    ("use_of_funds", "Uso de fondos: 60% producto, 30% ventas, 25% equipo."),
    ("funds_round", "We are raising $1M. Use of funds: $700k engineering, $600k sales."),
    ("funds_round", "We are raising $2M.\nUse of funds\n$600k product\n$300k sales\n$200k legal"),
    # growth
    ("growth", "Users grew 300% from 1,000 to 2,000."),
    ("growth", "MRR grew from $50k to $20k in a year."),
    ("growth", "Revenue doubled from $100k to $500k."),
    ("growth", "MRR grew 20% month over month, from $10k to $50k in 6 months."),
    ("growth", "Orders grew 5x from 2,000 to 4,000."),
    ("growth", "用户从1万增长到2万，增长300%。"),
    ("growth", "40,000 users, up from 50,000 in spring."),
    # ratio, share, commission
    ("ltv_cac", "LTV is $300 and CAC is $150. LTV/CAC is 5."),
    ("ltv_cac", "CAC: €200\nLTV: €400\nLTV/CAC: 6x"),
    ("market_share", "1% of a $5bn market is $500M."),
    ("take_rate", "Monthly GMV is $200k and our take rate is 10%. Monthly revenue is $60k."),
    # said twice
    ("two_values.mrr", "MRR is $40k.\nTeam of five.\nMRR: $55k"),
    ("two_values.burn", "We burn $50k a month. Burn: $80k per month."),
    ("two_values.runway", "Runway: 6 months.\nOur runway is 14 months."),
    ("two_values.registered", "12,000 registered users love us.\nRegistered users: 20,000"),
]

AGREEMENTS = [
    "MRR is $42k, ARR $500k.",
    "MRR is about $40k and ARR is roughly $0.5M.",
    "MRR was $10k in January 2023. ARR is $1.2M.",
    "MRR is $40k. We expect ARR of $3M by the end of 2027.",
    "MRR grew from €15,600 to €42,900 in nine months. ARR is €515k.",
    "MRR $100k | ARR $1.2M | 40 customers",
    "Competitors report $50M ARR. Our MRR: $40k. ARR: $480k.",
    "200 paying customers, ARPU of $50 a month, MRR of $10k.",
    "85 paying clinics pay €299 a month on average. MRR is €25,400.",
    "Net revenue retention is 124%. Gross margin is 78%. Growth is 250% a year.",
    "NRR 118%, churn 1.2% a month",
    "Revenue grew 140% year over year. 150% of plan.",
    "80,000 registered users, 30,000 monthly active users, 9,000 daily active users.",
    "TAM $12bn, SAM $3bn, SOM $150M",
    "We burn $100k a month and have $1.2M in the bank, so 12 months of runway.",
    "Burn is $80k a month. Cash: $400k. With this round of $2M we will have 30 months of runway.",
    "Raising $2M at $8M pre-money, $10M post-money, for 20% of the company.",
    "We raise €500k for 10% at a valuation of €5M.",
    "We raise $1M on a SAFE with a $10M cap and a 20% discount.",
    "Raising $1.5M for 15% equity at $8.5M pre-money.",
    "Use of funds: 50% engineering, 30% sales, 20% operations.",
    "We are raising $1M. Use of funds: $500k engineering, $300k sales, $200k operations.",
    "Use of funds\n- 40% product ($800k)\n- 60% sales ($1.2M)\nWe are raising $2M.",
    "Half of the money goes to engineering. 62% of clinics use paper. 70% of nurses are unhappy.",
    "Users grew 100% from 1,000 to 2,000.",
    "Users grew 3x from 1,000 to 3,000.",
    "MRR grew 20% month over month, from $10k to $30k in 6 months.",
    "Churn fell from 6% to 2%. Delivery time went from 5 days to 2 days.",
    "Revenue doubled from $100k to $200k while costs grew 10%.",
    "We cut cost growth: acquisition cost went from $50 to $20.",
    "LTV is $900 and CAC is $300, LTV/CAC of 3.",
    "LTV:CAC 4:1 (LTV $1,200, CAC $300)",
    "1% of a $5bn market is $50M.",
    "Monthly GMV of $200k at a take rate of 10% gives monthly revenue of $20k.",
    "MRR in Germany is $40k.\nMRR in France is $15k.",
    "Runway: 6 months. With the round, runway is 20 months.",
    "用户从1万增长到3万，增长200%。月收入20万元，年化收入240万元。",
    "毛利率65%，净收入留存率120%。",
    "每月支出50万元，账上现金600万元，可支撑12个月。",
    "本轮融资1000万元，投前估值4000万元，投后估值5000万元，出让20%股份。",
    "资金用途：研发50%，市场30%，运营20%。",
    "Ingresos mensuales: 10.000 €. ARR: 120.000 €.",
    "Der Monatsumsatz beträgt 20.000 €, der ARR 240.000 €.",
    "The market grew from $2bn to $3bn, growing 50%.",
    "We have 3 founders, 12 engineers, 40 customers and 2 offices since 2021.",
    "Prices from $10 to $40 a month. Growth is 10% a month.",
]


def checks(text: str) -> list[str]:
    prefix = "rule:numbers."
    found = analyse(Submission("investment", text, "")).findings
    assert all(it.quote and it.quote in text for it in found if it.source.startswith(prefix))
    return [it.source.removeprefix(prefix) for it in found if it.source.startswith(prefix)]


@pytest.mark.parametrize(("rule", "text"), CONTRADICTIONS)
def test_numbers_that_cannot_all_hold_are_found(rule: str, text: str) -> None:
    assert rule in checks(text)


@pytest.mark.parametrize("text", AGREEMENTS)
def test_numbers_that_agree_or_cannot_be_compared_are_left_alone(text: str) -> None:
    assert checks(text) == []
