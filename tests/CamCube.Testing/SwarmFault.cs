using System.Globalization;
using CamCube.Simulator.Swarm;

namespace CamCube.Testing;

/// <summary>
/// One fault of a run of <see cref="TestCube.Swarm(SwarmPlan, Func{SwarmCase, Task})"/>, all that it is: its text can
/// be given back in <see cref="SwarmPlan.Replay"/>.
/// </summary>
/// <param name="Kind">What happens.</param>
/// <param name="Where">Where: a server (<c>1,0,2</c>), a cable (<c>1,0,2 +x</c>), <c>all</c>, a plane (<c>z=1</c>), or
/// the half of all servers that is drawn from a number (<c>half#7</c>).</param>
/// <param name="Amount">How much of it, in the unit of the kind: per cent of the packets or operations, milliseconds of
/// delay, offset or period, Mbit/s, parts per million. 0 where there is no more or less.</param>
/// <param name="At">When it begins, from the begin of the run.</param>
/// <param name="Length">How long it lasts.</param>
public sealed record SwarmFault(FaultKind Kind, string Where, double Amount, TimeSpan At, TimeSpan Length)
{
    /// <summary>As in <c>crash 1,0,2 at 12.3ms for 300ms</c>, <c>loss all 5% at 0ms for 20ms</c>.</summary>
    public override string ToString()
    {
        string amount = UnitOf(Kind) is { } unit
            ? string.Create(CultureInfo.InvariantCulture, $" {Amount:0.####}{unit}")
            : "";
        return $"{FaultNames.Of(Kind)} {Where}{amount} at {TextOf(At)} for {TextOf(Length)}";
    }

    /// <summary>Reads such a text.</summary>
    /// <returns>Null, or what is wrong with it.</returns>
    internal static string? TryParse(string text, out SwarmFault? fault)
    {
        fault = null;
        string[] words = text.Split(' ', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        if (words.Length < 6 || words[^4] != "at" || words[^2] != "for")
        {
            return $"'{text}' is no fault: it is 'KIND WHERE [AMOUNT] at 12ms for 300ms'";
        }

        if (!FaultNames.TryParse(words[0], out FaultKind kind))
        {
            return $"'{words[0]}' is no kind of fault; there are {string.Join(", ", FaultNames.All)}";
        }

        double amount = 0,
            at = 0,
            length = 0;
        string? unit = UnitOf(kind);
        string where = string.Join(' ', unit is null ? words[1..^4] : words[1..^5]);
        return unit is not null && !TryNumber(words[^5], unit, out amount) ? $"'{words[^5]}' is no amount in {unit}"
            : unit is not null && !IsPossible(kind, amount) ? $"'{words[^5]}' is out of range"
            : where.Length == 0 ? $"'{text}' does not say where"
            : !TryNumber(words[^3], "ms", out at) || at < 0 ? $"'{words[^3]}' is no time in ms"
            : !TryNumber(words[^1], "ms", out length) || length <= 0 ? $"'{words[^1]}' is no time in ms"
            : Made(new SwarmFault(kind, where, amount, Millis(at), Millis(length)), out fault);
    }

    /// <summary>The unit of a kind's amount; null: it has none.</summary>
    internal static string? UnitOf(FaultKind kind) =>
        kind switch
        {
            FaultKind.Loss
            or FaultKind.Corruption
            or FaultKind.Duplication
            or FaultKind.Reordering
            or FaultKind.DiskRot
            or FaultKind.MisplacedWrites
            or FaultKind.StuckDisk
            or FaultKind.FailingDisk => "%",
            FaultKind.Delay or FaultKind.Flapping or FaultKind.ClockOffset => "ms",
            FaultKind.SlowLink => "Mbit/s",
            FaultKind.ClockDrift => "ppm",
            _ => null,
        };

    /// <summary>Its server is off meanwhile, or starts anew.</summary>
    internal static bool IsStop(FaultKind kind) =>
        kind
            is FaultKind.Crash
                or FaultKind.Restart
                or FaultKind.ClockOffset
                or FaultKind.LostFiles
                or FaultKind.TornWrites
                or FaultKind.StuckDisk;

    /// <summary>It is at cables, not at a server.</summary>
    internal static bool IsOfCables(FaultKind kind) =>
        kind
            is FaultKind.Cut
                or FaultKind.OneWayCut
                or FaultKind.Flapping
                or FaultKind.Isolation
                or FaultKind.Plane
                or FaultKind.Halves
                or FaultKind.OneWayHalves
                or FaultKind.Loss
                or FaultKind.Corruption
                or FaultKind.Duplication
                or FaultKind.Delay
                or FaultKind.Reordering
                or FaultKind.SlowLink;

    /// <summary>To a hundredth of a millisecond: the text says all of it.</summary>
    internal static TimeSpan Millis(double millis) => TimeSpan.FromTicks((long)Math.Round(millis * 100) * 100);

    private static bool IsPossible(FaultKind kind, double amount) =>
        kind switch
        {
            FaultKind.ClockOffset => true,
            FaultKind.ClockDrift => Math.Abs(amount) < 900_000,
            FaultKind.SlowLink => amount >= 0.001,
            FaultKind.Flapping or FaultKind.Delay => amount is >= 0.001 and < 1e6,
            _ => amount is >= 0 and <= 100,
        };

    private static string? Made(SwarmFault made, out SwarmFault? fault)
    {
        fault = made;
        return null;
    }

    private static string TextOf(TimeSpan time) =>
        string.Create(CultureInfo.InvariantCulture, $"{time.TotalMilliseconds:0.##}ms");

    private static bool TryNumber(string text, string unit, out double number)
    {
        number = 0;
        return text.EndsWith(unit, StringComparison.Ordinal)
            && double.TryParse(
                text.AsSpan(0, text.Length - unit.Length),
                NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint,
                CultureInfo.InvariantCulture,
                out number
            )
            && Math.Abs(number) < 1e9;
    }
}
