using System.ComponentModel.DataAnnotations;
using System.Globalization;

namespace CamCube.Services.KeyValue;

/// <summary>Settings of the key-value store (<c>CamCube:Services:kv</c>). The same on all servers of a cube.</summary>
public sealed class KeyValueOptions : IValidatableObject
{
    // A piece must not wait for so long that who sends it is given up.
    private const long LeastRate = 1 << 20;
    private const long MostRate = 1L << 40;

    /// <summary>Copies of each key in table 0: 1, 3 or 5. Default 3. More: more servers may fail, and each change costs
    /// more. In a smaller cube every server has one.</summary>
    [AllowedValues(1, 3, 5)]
    public int Replicas { get; set; } = 3;

    /// <summary>How table 0 is kept, as in <see cref="Tables"/>: <c>reads=lease,acknowledge=majority</c>. Default none:
    /// a majority confirms each read, a change is acknowledged once every member that is not away has it, and all is on
    /// disks. <c>storage=memory</c>: nothing is, and keys are lost with a majority of the servers that have them. Must
    /// not be changed once there is data.</summary>
    public string Mode { get; set; } = "";

    /// <summary>Tables beside table 0, each as <c>table=copies</c>, 1 to 15, with 1, 3 or 5 copies; behind that, with
    /// commas, how it is kept if not as by default: <c>1=3,reads=lease,acknowledge=majority</c>. Default none. Each has
    /// groups of its own on all servers, which cost what those of table 0 do. More may come later; nothing of one must
    /// be changed, and none taken away, once there is data.</summary>
    public IReadOnlyList<string> Tables { get; set; } = [];

    /// <summary>By which share clocks of two servers may run at different rates, 0 to 0.3. Default 0.01. With
    /// <c>reads=lease</c> old values may be read if it is more; a larger one makes others wait for longer after their
    /// leader is lost.</summary>
    [Range(0, 0.3)]
    public double ClockDrift { get; set; } = 0.01;

    /// <summary>Silence after which a server is taken for lost, 20 ms to 60 s. Default 200 ms. Shorter: a new leader is
    /// there sooner, and more often for nothing.</summary>
    [Range(typeof(TimeSpan), "00:00:00.020", "00:01:00", ParseLimitsInInvariantCulture = true)]
    public TimeSpan Silence { get; set; } = TimeSpan.FromMilliseconds(200);

    /// <summary>How long a request goes on before it is given up, 10 ms to 10 min. Default 5 s: more than a change of
    /// leader takes, or requests fail when a server does.</summary>
    [Range(typeof(TimeSpan), "00:00:00.010", "00:10:00", ParseLimitsInInvariantCulture = true)]
    public TimeSpan Timeout { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>How long a server that is there may leave changes without acknowledging them before it is taken for
    /// away, 10 ms to 10 min. Default 1 s. All changes wait for the slowest server, so long.</summary>
    [Range(typeof(TimeSpan), "00:00:00.010", "00:10:00", ParseLimitsInInvariantCulture = true)]
    public TimeSpan SlowAfter { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>How long a server may be away before another takes its part, 10 ms to 1 day. Default 180 s: most are
    /// back by then, and only what changed has to be brought to them.</summary>
    [Range(typeof(TimeSpan), "00:00:00.010", "1.00:00:00", ParseLimitsInInvariantCulture = true)]
    public TimeSpan ReplicateAfter { get; set; } = TimeSpan.FromSeconds(180);

    /// <summary>Groups whose state a server fetches at once, 1 to 1,024. Default 8.</summary>
    [Range(1, 1_024)]
    public int Fetches { get; set; } = 8;

    /// <summary>Bytes per second that a server fetches for recovery while clients are served, by it or by servers that
    /// it shares groups with: 1 MiB to 1 TiB, or 0: it is never held back. Default 12 MiB. While nobody is served it is
    /// not held back. More: lost copies are there again sooner, and clients wait longer.</summary>
    public long RecoveryRate { get; set; } = 12 << 20;

    /// <summary>Longest value in bytes, 1 to 1 GiB. Default 1 GiB. Those over 64 KiB lie in pieces of
    /// 256 KiB.</summary>
    [Range(1, 1 << 30)]
    public int MaxValueLength { get; set; } = 1 << 30;

    /// <summary>Bytes of a file of the log, 512 KiB to 1 GiB. Default 64 MiB. Smaller: more files; larger: compaction
    /// needs more room at once.</summary>
    [Range(512 << 10, 1 << 30)]
    public int SegmentBytes { get; set; } = 64 << 20;

    /// <summary>Records after which a snapshot of the index is written, or half as many as there are keys if that is
    /// more; at a stop in order after a sixteenth of it. 16 to 1 Gi, default 1,000,000. Fewer: more is written, 42
    /// bytes for each key; more: a start after a crash reads more.</summary>
    [Range(16, 1 << 30)]
    public int SnapshotAfter { get; set; } = 1_000_000;

    /// <summary>In which time a server reads all of its log once, to find what has rotted while others still have it, a
    /// minute to a year. Default 14 days. Shorter: more reads beside those of clients.</summary>
    [Range(typeof(TimeSpan), "00:01:00", "366.00:00:00", ParseLimitsInInvariantCulture = true)]
    public TimeSpan ScrubPeriod { get; set; } = TimeSpan.FromDays(14);

    /// <summary>Requests that may be open at a server, its own and others', 1 to 65,536. Default 16,384. More are
    /// refused.</summary>
    [Range(1, 65_536)]
    public int Requests { get; set; } = 16_384;

    /// <summary>Answers to changes that a server keeps, of all groups, for those who ask again, 1,024 to 16 Mi. Default
    /// 262,144. Fewer: after a change of leader more requests end as unknown.</summary>
    [Range(1_024, 16 << 20)]
    public int Answers { get; set; } = 262_144;

    /// <summary>Bytes of a group's changes that stay in memory for members that were away, 4 KiB to 64 MiB. Default 256
    /// KiB. Those who missed more are sent the group's state.</summary>
    [Range(4 << 10, 64 << 20)]
    public int TailBytes { get; set; } = 256 << 10;

    /// <summary>Steps of a batch, 1 to 4,096. Default 128.</summary>
    [Range(1, 4_096)]
    public int BatchSteps { get; set; } = 128;

    /// <summary>Bytes of a batch, of keys, metadata and values, as they are given and as they come out, 1 KiB to 1 MiB.
    /// Default 256 KiB. All of them are one change: nothing else of the group goes on meanwhile.</summary>
    [Range(1 << 10, 1 << 20)]
    public int BatchBytes { get; set; } = 256 << 10;

    /// <summary>Copies of each key of a table; 0: there is no such table.</summary>
    internal int CopiesOf(int table) => table == 0 ? Replicas : ModeOf(table).Copies;

    /// <summary>How a table is kept.</summary>
    internal TableMode ModeOf(int table)
    {
        var mode = new TableMode();
        if (table == 0)
        {
            return (mode with { Copies = Replicas }).With(PartsOf(Mode), out _);
        }

        foreach (string entry in Tables)
        {
            string[] parts = entry.Split(',');
            mode =
                TryRead(parts[0], out int named, out int copies) && named == table
                    ? (mode with { Copies = copies }).With(parts.AsSpan(1), out _)
                    : mode;
        }

        return mode;
    }

    /// <summary>All tables, each as <c>0=3,reads=majority,...</c>, with all that can be said of one.</summary>
    internal IEnumerable<string> TableTexts =>
        from table in Enumerable.Range(0, 16)
        let mode = ModeOf(table)
        where mode.Copies > 0
        select string.Create(CultureInfo.InvariantCulture, $"{table}={mode.Copies},{mode.FullText}");

    /// <inheritdoc/>
    public IEnumerable<ValidationResult> Validate(ValidationContext validationContext)
    {
        HashSet<int> seen = [];
        foreach (string entry in Tables)
        {
            string[] parts = entry.Split(',');
            string? wrong =
                !TryRead(parts[0], out int table, out _)
                    ? "is no table=copies with a table of 1 to 15 and 1, 3 or 5 copies"
                : !seen.Add(table) ? "names a table that is there already"
                : WrongIn(parts.AsSpan(1));
            if (wrong is not null)
            {
                yield return new ValidationResult($"{nameof(Tables)}: '{entry}' {wrong}.", [nameof(Tables)]);
            }
        }

        if (RecoveryRate is not 0 and (< LeastRate or > MostRate))
        {
            yield return new ValidationResult(
                $"{nameof(RecoveryRate)}: {RecoveryRate} is neither 0 nor {LeastRate} to {MostRate} bytes per second.",
                [nameof(RecoveryRate)]
            );
        }

        if (WrongIn(PartsOf(Mode)) is { } wrongMode)
        {
            yield return new ValidationResult($"{nameof(Mode)}: '{Mode}' {wrongMode}.", [nameof(Mode)]);
        }
    }

    private static string[] PartsOf(string mode) => mode.Length == 0 ? [] : mode.Split(',');

    private static string? WrongIn(ReadOnlySpan<string> parts)
    {
        new TableMode().With(parts, out string? wrong);
        return wrong is null ? null : $"has '{wrong}', which is none of {TableMode.Words}, or says again what is said";
    }

    private static bool TryRead(string entry, out int table, out int copies)
    {
        copies = 0;
        string[] parts = entry.Split('=');
        return int.TryParse(parts[0], NumberStyles.None, CultureInfo.InvariantCulture, out table)
            && table is >= 1 and <= 15
            && parts.Length == 2
            && int.TryParse(parts[1], NumberStyles.None, CultureInfo.InvariantCulture, out copies)
            && copies is (1 or 3 or 5);
    }
}
