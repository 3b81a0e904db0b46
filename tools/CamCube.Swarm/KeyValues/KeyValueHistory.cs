using System.Buffers.Binary;
using System.Globalization;
using System.Text;
using CamCube.Histories;
using CamCube.Histories.Checking;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Operations;
using CamCube.Simulator.Checkers;

namespace CamCube.Swarm.KeyValues;

/// <summary>What all clients of a run did and were told. A value is known by the number that stands beside it, as
/// metadata, so that it may be of any length.</summary>
internal sealed class KeyValueHistory
{
    private const int MostMetadata = 4_096;
    private const int NumberLength = sizeof(ulong);

    // Some seconds: what is not decided then is a failure, but no endless run.
    private const long MostSteps = 20_000_000;
    private readonly Dictionary<ulong, (string Key, int Length)> _puts = [];
    private readonly List<HistoryOperation> _operations = [];
    private readonly PromiseChecker _linearizable = new("kv-linearizable");
    private readonly PromiseChecker _decided = new("kv-decided");
    private readonly PromiseChecker _values = new("kv-values");

    /// <summary>What is checked.</summary>
    public IReadOnlyList<Checker> Checkers => [_linearizable, _decided, _values];

    /// <summary>All that ended.</summary>
    public IReadOnlyList<HistoryOperation> Operations => _operations;

    /// <summary>Steps of the search for an order.</summary>
    public long Steps { get; private set; }

    /// <summary>A number for a value that is going to be put.</summary>
    public ulong Begin(string key, int length)
    {
        ulong number = (ulong)_puts.Count + 1;
        _puts.Add(number, (key, length));
        return number;
    }

    /// <summary>The bytes of a value.</summary>
    public static byte[] ValueOf(ulong number, int length)
    {
        byte[] value = new byte[length];
        new Random((int)number).NextBytes(value);
        return value;
    }

    /// <summary>What is put beside it.</summary>
    public static byte[] MetadataOf(ulong number)
    {
        byte[] metadata = new byte[number % 16 == 0 ? NumberLength + (int)(number % (MostMetadata - 7)) : NumberLength];
        BinaryPrimitives.WriteUInt64LittleEndian(metadata, number);
        return metadata;
    }

    /// <summary>The name that a value has in the history.</summary>
    public static string NameOf(ulong number) => string.Create(CultureInfo.InvariantCulture, $"v{number}");

    /// <summary>The number in what lies beside a value; 0: none.</summary>
    public static ulong NumberIn(ReadOnlySpan<byte> metadata) =>
        metadata.Length < NumberLength ? 0 : BinaryPrimitives.ReadUInt64LittleEndian(metadata);

    /// <summary>Which value that is, once it has been looked whether it is whole; null: none that was put there.
    /// </summary>
    public string? Identify(string key, ReadOnlySpan<byte> value, ReadOnlySpan<byte> metadata, long length, long nanos)
    {
        ulong number = NumberIn(metadata);
        bool isRight =
            _puts.TryGetValue(number, out (string Key, int Length) put)
            && put == (key, value.Length)
            && length == value.Length
            && value.SequenceEqual(ValueOf(number, put.Length))
            && metadata.SequenceEqual(MetadataOf(number));
        (int valueLength, int metadataLength) = (value.Length, metadata.Length);
        _values.Check(
            isRight,
            nanos,
            () =>
                $"A get of {key} gave {valueLength} bytes and {metadataLength} of metadata (said: {length}), number "
                + $"{number}: these were never put there."
        );
        return isRight ? NameOf(number) : null;
    }

    /// <summary>An operation has ended.</summary>
    public void Add(HistoryOperation operation) => _operations.Add(operation);

    /// <summary>Judges all of it.</summary>
    /// <param name="nanos">Virtual time.</param>
    /// <param name="watch">Knows what was lost when groups went on by hand.</param>
    /// <param name="memory">Of a table in memory, what was lost of it; null: it is on disks.</param>
    public void Judge(long nanos, KeyValueWatch watch, MemoryWatch? memory)
    {
        ILookup<GroupId, string> keys = _operations
            .Select(static o => o.Key)
            .Distinct()
            .ToLookup(key => watch.GroupOf(Encoding.UTF8.GetBytes(key)));
        foreach (KeyValueGeneration begun in watch.Generations)
        {
            _operations.AddRange(begun.Losses(keys[begun.Group]));
        }

        if (memory is not null)
        {
            _operations.AddRange(memory.Losses(_operations.Select(static o => o.Key).Distinct()).ToArray());
            for (int i = 0; i < _operations.Count; i++)
            {
                _operations[i] = memory.InOrder(_operations[i]);
            }
        }

        HistoryVerdict verdict = LinearizabilityChecker.Check(_operations, MostSteps);
        Steps = verdict.Steps;
        _linearizable.NoteRight(_operations.Count);
        _linearizable.Check(
            verdict.IsLinearizable != false,
            nanos,
            () =>
                $"No order explains {verdict.Unexplained}; beside it: {string.Join("; ", verdict.Beside)}; before "
                + $"it: {string.Join("; ", Before(verdict.Unexplained!))}."
        );
        _decided.Check(
            verdict.IsLinearizable is not null,
            nanos,
            () => $"Of {verdict.Key} no order was found in time."
        );
    }

    private IEnumerable<HistoryOperation> Before(HistoryOperation one) =>
        _operations
            .Where(o => o.Key == one.Key && o.Begin < one.End && o.Answer != HistoryAnswer.Unavailable)
            .OrderBy(o => o.Begin)
            .TakeLast(12);
}
