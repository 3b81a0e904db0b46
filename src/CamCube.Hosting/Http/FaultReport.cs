using CamCube.Administration.Answers;
using CamCube.Faults;
using CamCube.Hosting.Faults;

namespace CamCube.Hosting.Http;

/// <summary>Turns the fault rules of a host into the answers of the HTTP interface.</summary>
internal static class FaultReport
{
    /// <summary>The answer about a rule.</summary>
    public static FaultRuleAnswer Of(int id, FaultOrder order) => new(id, order.Kind, order.Arguments);

    /// <summary>The answer about a desk.</summary>
    public static FaultsAnswer Of(FaultDesk desk)
    {
        LinkFaultCounts counts = desk.Counts;
        return new FaultsAnswer(
            [.. desk.InForce.Select(rule => Of(rule.Id, rule.Order))],
            new Dictionary<string, long>
            {
                ["lost"] = counts.Lost,
                ["cut"] = counts.Cut,
                ["garbled"] = counts.Garbled,
                ["corrupted"] = counts.Corrupted,
                ["duplicated"] = counts.Duplicated,
                ["delayed"] = counts.Delayed,
                ["heldBack"] = counts.HeldBack,
                ["slowed"] = counts.Slowed,
                ["overflowed"] = counts.Overflowed,
            }
        );
    }
}
