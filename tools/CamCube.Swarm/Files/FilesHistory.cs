using System.Globalization;
using CamCube.Histories;
using CamCube.Histories.Checking;
using CamCube.Simulator.Checkers;

namespace CamCube.Swarm.Files;

/// <summary>What all clients of a run did and were told. The bytes of a file are a function of its number, so no two
/// puts have the same, but those of nothing.</summary>
internal sealed class FilesHistory
{
    private const long MostSteps = 20_000_000;
    private readonly Dictionary<string, Dictionary<Key, ulong>> _puts = [];
    private readonly List<HistoryOperation> _operations = [];
    private readonly PromiseChecker _linearizable = new("files-linearizable");
    private readonly PromiseChecker _decided = new("files-decided");
    private readonly PromiseChecker _bytes = new("files-bytes");
    private ulong _last;

    /// <summary>What is checked.</summary>
    public IReadOnlyList<Checker> Checkers => [_linearizable, _decided, _bytes];

    /// <summary>All that ended.</summary>
    public IReadOnlyList<HistoryOperation> Operations => _operations;

    /// <summary>A file that is going to be put.</summary>
    public byte[] Begin(string path, int length, out ulong number)
    {
        number = ++_last;
        byte[] bytes = new byte[length];
        new Random((int)number).NextBytes(bytes);

        // No two are the same, so that a put of the same bytes is one that was sent again.
        if (length < sizeof(ulong))
        {
            bytes = BitConverter.GetBytes(number);
        }

        if (!_puts.TryGetValue(path, out Dictionary<Key, ulong>? puts))
        {
            _puts.Add(path, puts = []);
        }

        puts.Add(Key.OfBytes(bytes), number);
        return bytes;
    }

    /// <summary>The name that a file has in the history.</summary>
    public static string NameOf(ulong number) => string.Create(CultureInfo.InvariantCulture, $"f{number}");

    /// <summary>Which put that is; null: none of that path.</summary>
    public string? Identify(string path, ReadOnlySpan<byte> bytes, long nanos)
    {
        ulong number = 0;
        bool isRight =
            _puts.TryGetValue(path, out Dictionary<Key, ulong>? puts)
            && puts.TryGetValue(Key.OfBytes(bytes), out number);
        int length = bytes.Length;
        _bytes.Check(isRight, nanos, () => $"A get of {path} gave {length} bytes that were never put there.");
        return isRight ? NameOf(number) : null;
    }

    /// <summary>An operation has ended.</summary>
    public void Add(HistoryOperation operation) => _operations.Add(operation);

    /// <summary>Judges all of it.</summary>
    public void Judge(long nanos)
    {
        HistoryVerdict verdict = LinearizabilityChecker.Check(_operations, MostSteps);
        _linearizable.NoteRight(_operations.Count);
        _linearizable.Check(
            verdict.IsLinearizable != false,
            nanos,
            () => $"No order explains {verdict.Unexplained}; beside it: {string.Join("; ", verdict.Beside)}."
        );
        _decided.Check(
            verdict.IsLinearizable is not null,
            nanos,
            () => $"Of {verdict.Key} no order was found in time."
        );
    }
}
