using System.Globalization;
using CamCube.Swarm.Determinism;

namespace CamCube.Tool.Output;

/// <summary>A check for people: one line of fixed width per seed, and where runs parted below it.</summary>
internal static class DeterminismText
{
    /// <summary>Names of the columns.</summary>
    public static string Head { get; } =
        Line("seed", "shape", "trace hash", "events", "packet hops", "lost", "runs", "checkpoints", "equal");

    /// <summary>One seed.</summary>
    public static IEnumerable<string> Of(SeedResult result)
    {
        yield return Line(
            result.Seed.ToString(CultureInfo.InvariantCulture),
            result.Shape,
            result.Hash,
            Count(result.Events),
            Count(result.PacketHops),
            Count(result.Lost),
            Count(result.Runs.Count),
            Count(result.Checkpoints),
            result.Equal ? "yes" : "NO"
        );
        if (result.Difference is not { } difference)
        {
            yield break;
        }

        string pair = $"'{difference.Variants[0]}' and '{difference.Variants[1]}'";
        if (difference.Checkpoint == 0)
        {
            yield return $"  {pair}: all checkpoints are equal, but counts or cache operations differ";
            yield break;
        }

        yield return $"  {pair} differ first at checkpoint {difference.Checkpoint}, "
            + $"{Millis(difference.FromNanos)} to {Millis(difference.AtNanos)} ms";
        yield return $"  servers: {string.Join(' ', difference.Servers)}";
        if (difference.First is null && difference.Second is null)
        {
            yield return "  they did not differ there when they were run again with a recording";
            yield break;
        }

        yield return "  first different event:";
        yield return Fields(difference.Variants[0], difference.First);
        yield return Fields(difference.Variants[1], difference.Second);
    }

    private static string Fields(string variant, RunEvent? e)
    {
        if (e is null)
        {
            return $"    {variant, -24} no more events";
        }

        string packet = e.Packet is null ? "" : $" packet {e.Packet} {e.Source} -> {e.Destination}";
        string link = e.Link is null ? "" : $" link {e.Link}";
        return $"    {variant, -24} {Millis(e.AtNanos)} ms server {e.Server} event {e.Sequence} {e.Kind} service "
            + $"{e.Service}{packet}{link} "
            + $"number {e.Number} hash {e.Hash}";
    }

    private static string Line(params ReadOnlySpan<string> cells) =>
        $"{cells[0], 6} {cells[1], -9} {cells[2], -16} {cells[3], 11} {cells[4], 11} {cells[5], 8} {cells[6], 4} "
        + $"{cells[7], 11} {cells[8], 5}";

    private static string Count(long number) => number.ToString("N0", CultureInfo.InvariantCulture);

    private static string Millis(long nanos) => (nanos / 1e6).ToString("F6", CultureInfo.InvariantCulture);
}
