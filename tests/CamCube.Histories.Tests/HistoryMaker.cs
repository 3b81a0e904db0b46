namespace CamCube.Histories.Tests;

/// <summary>What clients of a true store see: each operation happens at one moment between its begin and its
/// end.</summary>
internal sealed class HistoryMaker(Random random)
{
    private readonly Dictionary<string, (string? Value, ulong Version)> _store = [];
    private readonly Dictionary<string, List<(string? Value, ulong Version)>> _past = [];
    private ulong _version;

    /// <summary>How many of a hundred operations end without an answer.</summary>
    public int PercentUnknown { get; set; } = 10;

    /// <summary>How many of a hundred puts and deletes ask for a version.</summary>
    public int PercentConditional { get; set; } = 30;

    /// <summary>How many of a hundred puts and deletes ask for a key that is there.</summary>
    public int PercentPresent { get; set; }

    /// <summary>How many of a hundred changes do not say their version.</summary>
    public int PercentSilent { get; set; }

    /// <summary>How many of a hundred puts and deletes say what they replaced.</summary>
    public int PercentOver { get; set; }

    /// <summary>How many of a hundred operations are losses instead.</summary>
    public int PercentLoss { get; set; }

    /// <summary>A history.</summary>
    /// <param name="operations">How many.</param>
    /// <param name="clients">Clients, each with one at a time, among all of which the next is drawn.</param>
    /// <param name="keys">Keys.</param>
    public List<HistoryOperation> Make(int operations, int clients, int keys)
    {
        List<HistoryOperation> history = [];
        long[] free = new long[clients];
        List<(long Happens, long Begin, long End, int Client)> plan = [];
        long now = 0;
        for (int i = 0; i < operations; i++)
        {
            now += random.Next(20);
            int client = random.Next(clients);
            long begin = Math.Max(now, free[client] + 1),
                happens = begin + random.Next(100),
                end = happens + random.Next(100);
            free[client] = end;
            plan.Add((happens, begin, end, client));
        }

        foreach ((_, long begin, long end, int client) in plan.Order())
        {
            string key = $"key {random.Next(keys)}";
            history.Add(Happen(key, $"value {history.Count}") with { Client = client, Begin = begin, End = end });
        }

        return history;
    }

    private HistoryOperation Happen(string key, string value)
    {
        if (PercentLoss > 0 && random.Next(100) < PercentLoss)
        {
            return Lose(key);
        }

        (string? old, ulong version) = _store.GetValueOrDefault(key);
        var kind = (HistoryKind)random.Next(3);
        kind = random.Next(3) == 0 ? HistoryKind.Put : kind;
        var operation = new HistoryOperation
        {
            Key = key,
            Kind = kind,
            Value = kind == HistoryKind.Put ? value : null,
        };
        if (kind == HistoryKind.Get)
        {
            return IsUnknown() ? operation
                : old is null ? operation with { Answer = HistoryAnswer.NotFound }
                : operation with { Answer = HistoryAnswer.Done, Value = old, Version = version };
        }

        if (random.Next(100) < PercentConditional)
        {
            operation = operation with { IfVersion = random.Next(3) == 0 ? (ulong)random.Next(4) : version };
        }

        if (PercentPresent > 0 && random.Next(100) < PercentPresent)
        {
            operation = operation with { IfVersion = null, IfPresent = true };
        }

        bool isAbsent = operation.IfPresent && old is null;
        if (isAbsent || (operation.IfVersion is { } asked && asked != (old is null ? 0 : version)))
        {
            return IsUnknown()
                ? operation
                : operation with
                {
                    Answer = HistoryAnswer.Conflict,
                    Version = old is null ? 0 : version,
                };
        }

        if (kind == HistoryKind.Delete && old is null)
        {
            return IsUnknown()
                ? operation
                : operation with
                {
                    Answer = operation.IfVersion == 0 ? HistoryAnswer.Unknown : HistoryAnswer.NotFound,
                };
        }

        if (PercentOver > 0 && old is not null && random.Next(100) < PercentOver)
        {
            operation = operation with { IfVersion = null, IfPresent = false, IfValue = old };
        }

        bool isUnknown = IsUnknown();
        if (isUnknown && random.Next(2) == 0)
        {
            // It never happened.
            return operation;
        }

        _version += 1 + (ulong)random.Next(2);
        _store[key] = kind == HistoryKind.Put ? (value, _version) : (null, 0);
        Past(key).Add(_store[key]);
        return isUnknown
            ? operation
            : operation with
            {
                Answer = HistoryAnswer.Done,
                Version = random.Next(100) < PercentSilent ? 0 : _version,
            };
    }

    private List<(string? Value, ulong Version)> Past(string key) =>
        _past.TryGetValue(key, out List<(string?, ulong)>? past) ? past : _past[key] = [(null, 0)];

    // The key is what it was, and nobody remembers what came in between.
    private HistoryOperation Lose(string key)
    {
        List<(string? Value, ulong Version)> past = Past(key);
        int left = random.Next(past.Count);
        past.RemoveRange(left + 1, past.Count - left - 1);
        _store[key] = past[left];
        return new HistoryOperation
        {
            Key = key,
            Kind = HistoryKind.Loss,
            Answer = HistoryAnswer.Done,
            Value = past[left].Value,
            Kept = past[left].Version,
            Version = ++_version,
        };
    }

    private bool IsUnknown() => random.Next(100) < PercentUnknown;
}
