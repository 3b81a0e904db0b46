namespace CamCube.Services.KeyValue.Counting;

/// <summary>How often a number was how large: a counter per range, with the range's upper end as label. Loop only to
/// add.</summary>
internal sealed class Distribution
{
    /// <summary>The label of what is beyond the last end.</summary>
    public const string Beyond = "more";

    private readonly long[] _ends;
    private readonly Counter[] _counters;

    /// <summary>One without numbers.</summary>
    /// <param name="counters">Where it is told.</param>
    /// <param name="name">Name within the service.</param>
    /// <param name="unit">What is counted.</param>
    /// <param name="ends">Upper ends of the ranges, growing; a number that is equal to one is in its range.</param>
    public Distribution(
        IServerCounters counters,
        string name,
        string unit,
        params ReadOnlySpan<(long End, string Words)> ends
    )
    {
        LabelledCounter ranges = counters.CreatePerLabel(name, unit, "upTo", ends.Length + 1);
        (_ends, _counters) = (new long[ends.Length], new Counter[ends.Length + 1]);
        for (int i = 0; i < ends.Length; i++)
        {
            (_ends[i], _counters[i]) = (ends[i].End, ranges.Add(ends[i].Words));
        }

        _counters[^1] = ranges.Add(Beyond);
    }

    /// <summary>Times in nanoseconds, from a tenth of a millisecond to ten seconds.</summary>
    public static Distribution OfTimes(IServerCounters counters, string name, string unit) =>
        new(
            counters,
            name,
            unit,
            (100_000, "100us"),
            (200_000, "200us"),
            (500_000, "500us"),
            (1_000_000, "1ms"),
            (2_000_000, "2ms"),
            (5_000_000, "5ms"),
            (10_000_000, "10ms"),
            (20_000_000, "20ms"),
            (50_000_000, "50ms"),
            (100_000_000, "100ms"),
            (200_000_000, "200ms"),
            (500_000_000, "500ms"),
            (1_000_000_000, "1s"),
            (2_000_000_000, "2s"),
            (5_000_000_000, "5s"),
            (10_000_000_000, "10s")
        );

    /// <summary>Counts a number.</summary>
    public void Add(long number)
    {
        int range = 0;
        while (range < _ends.Length && number > _ends[range])
        {
            range++;
        }

        _counters[range].Add();
    }
}
