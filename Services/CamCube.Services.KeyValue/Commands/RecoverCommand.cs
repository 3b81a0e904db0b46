using System.Globalization;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Salvage;

namespace CamCube.Services.KeyValue.Commands;

/// <summary>The command recover: goes on without stores that are gone for good.</summary>
internal static class RecoverCommand
{
    public static ServiceCommand Of(IServer server, Recoverer recoverer) =>
        ServiceCommand.Of<RecoverArguments, CommandResult>(
            "recover",
            "Goes on without stores that are gone for good, where no majority is left; says before what may be lost.",
            (arguments, _) => RecoverAsync(server, recoverer, arguments),
            changes: true
        );

    private static async ValueTask<CommandResult> RecoverAsync(
        IServer server,
        Recoverer recoverer,
        RecoverArguments arguments
    )
    {
        if (ServerNames.Read(server, arguments.Lost, "lost", out HashSet<Coordinate> lost) is { } wrong)
        {
            return CommandResult.Refused(wrong);
        }

        if (lost.Count == 0)
        {
            return CommandResult.Refused("lost: name a server whose store is gone for good.");
        }

        string[] stores = arguments.Stores.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        HashSet<string>? only = stores.Length > 0 ? [.. stores] : null;
        RecoverOutcome outcome = await recoverer.RunAsync(lost, arguments.AcceptLoss, only);
        return outcome.Refusal is { } refusal
            ? CommandResult.Refused($"{refusal}.")
            : CommandResult.Of(RowOf(server, outcome, arguments.AcceptLoss));
    }

    private static RecoverRow RowOf(IServer server, RecoverOutcome outcome, bool does) =>
        new(
            [.. outcome.Lost.Select(GroupText.Of)],
            [.. outcome.Plans.Select(plan => RowOf(server, plan))],
            outcome.Healthy,
            outcome.Left,
            does && outcome.Left == 0 && outcome.Unwritten.Count == 0,
            outcome.Unwritten.Count > 0 ? $"{string.Join(" ", outcome.Unwritten)} to write down who is given up"
                : does && outcome.Left > 0
                    ? string.Create(CultureInfo.InvariantCulture, $"{outcome.Left} groups to agree")
                : null
        );

    private static RecoverGroupRow RowOf(IServer server, GroupPlan plan)
    {
        GroupRecovery recovery = plan.Recovery;
        uint heard = plan.Base?.HeardMillis ?? uint.MaxValue;
        return new RecoverGroupRow(
            $"{plan.Group.Table}/{server.Shape.At(plan.Group.Home)}/{plan.Group.Sequence}",
            plan.Base is null ? null : $"{recovery.Base.Server}",
            [.. plan.Lost.Select(static s => $"{s.Server}")],
            [.. recovery.Next.Members.ToArray().Select(static s => $"{s.Server}")],
            recovery.Next.Generation,
            recovery.Index,
            heard == uint.MaxValue ? null : heard / 1e3,
            plan.Base is null ? "all"
                : recovery.Next.Mode.IsByMajority || !plan.Base.IsWhole ? "any"
                : "afterHeard"
        );
    }
}
