using CamCube.Services.KeyValue.Verification;

namespace CamCube.Services.KeyValue.Commands;

/// <summary>The command verify: compares the copies of all keys, a part with each call.</summary>
internal static class VerifyCommand
{
    public static ServiceCommand Of(IServer server, Verifier verifier) =>
        ServiceCommand.Of<VerifyArguments, CommandResult>(
            "verify",
            "Compares all copies of some keys; says what differs, and where it goes on.",
            (arguments, _) => VerifyAsync(server, verifier, arguments)
        );

    private static async ValueTask<CommandResult> VerifyAsync(
        IServer server,
        Verifier verifier,
        VerifyArguments arguments
    )
    {
        VerifyCursor? cursor = null;
        if (arguments.Cursor is { Length: > 0 } text)
        {
            cursor = VerifyCursor.Read(text);
            if (cursor is null)
            {
                return CommandResult.Refused("cursor: it is none that this command said.");
            }
        }

        if (await verifier.VerifyAsync(cursor) is not { } part)
        {
            return CommandResult.Refused("cursor: this cube has no such group.");
        }

        string group = $"{part.Group.Table}/{server.Shape.At(part.Group.Home)}/{part.Group.Sequence}";
        (int done, int all) = verifier.ProgressOf(part.Group);
        return CommandResult.Of(
            new VerifyRow(
                group,
                done,
                all,
                part.Compared,
                part.Bytes,
                [.. part.Differences.Select(one => DifferenceRow.Of(group, one.Difference, one.Key))],
                [.. part.Skipped.Select(one => new SkippedRow(group, $"{one.Server}", one.Why))],
                part.Next?.ToString()
            )
        );
    }
}
