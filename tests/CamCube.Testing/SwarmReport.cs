using System.Globalization;
using CamCube.Simulator.Swarm;

namespace CamCube.Testing;

/// <summary>What a swarm of runs did, none of which failed.</summary>
/// <param name="Runs">How many.</param>
/// <param name="Faults">Faults that were done, by kind.</param>
/// <param name="Operations">Operations in histories. 0: nothing was checked but the scenario's own checks.</param>
/// <param name="Answered">Answers that clients got.</param>
/// <param name="Unanswered">How often a client got none. Where it is most of the time, little was tested.</param>
/// <param name="VirtualTime">Virtual time of all runs together.</param>
public sealed record SwarmReport(
    int Runs,
    IReadOnlyDictionary<FaultKind, long> Faults,
    long Operations,
    long Answered,
    long Unanswered,
    TimeSpan VirtualTime
)
{
    /// <summary>One line for people.</summary>
    public override string ToString()
    {
        string kinds = string.Join(
            ", ",
            Faults.Select(static f => string.Create(CultureInfo.InvariantCulture, $"{FaultNames.Of(f.Key)} {f.Value}"))
        );
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{Runs} runs, {VirtualTime.TotalSeconds:0.#} s of virtual time, {Answered} answers "
                + $"({Unanswered} without), {Operations} operations checked, {Faults.Values.Sum()} faults ({kinds})"
        );
    }
}
