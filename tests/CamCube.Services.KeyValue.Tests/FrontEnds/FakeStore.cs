using System.Buffers;
using System.Text;
using CamCube.Services.KeyValue.Commands;

namespace CamCube.Services.KeyValue.Tests.FrontEnds;

/// <summary>A store of one server in memory, for what stands in front of it. It does what it is told to, too.</summary>
[CamCubeService(0x7152, "kv")]
internal sealed class FakeStore(IServer server) : CamCubeService, IKeyValueStore, IServiceCommands
{
    private readonly Dictionary<string, (ulong Version, byte[] Value, byte[] Metadata)> _byKey = new(
        StringComparer.Ordinal
    );
    private ulong _version = 1UL << 40;

    public const int Longest = 1 << 20;

    /// <summary>What the next operations end with; null: what they should.</summary>
    public KeyValueStatus? Next { get; set; }

    /// <summary>Changes that others make to a key just before one is tried.</summary>
    public int Busy { get; set; }

    /// <summary>Changes end with the server only.</summary>
    public bool Hangs { get; set; }

    /// <summary>Changes break the service.</summary>
    public bool Breaks { get; set; }

    public int MaxValueLength => Longest;

    public string? Failure { get; set; }

    public IReadOnlyList<ServiceCommand> Commands => new KeyValueCommands(server, this).Commands;

    public int Gets { get; private set; }

    public int Puts { get; private set; }

    public int Waits { get; private set; }

    public int Keys => _byKey.Count;

    public KeyValueReads LastReads { get; private set; }

    public KeyValueCondition LastCondition { get; private set; }

    public TimeSpan? LastExpires { get; set; }

    public byte[] LastKey { get; private set; } = [];

    public ValueTask<KeyValueAnswer> GetAsync(
        KeyValueKey key,
        KeyValueReads reads = KeyValueReads.Latest,
        IBufferWriter<byte>? value = null,
        IBufferWriter<byte>? metadata = null
    )
    {
        (Gets, LastReads, LastKey) = (Gets + 1, reads, key.Bytes.ToArray());
        if (Next is { } told || !_byKey.TryGetValue(Name(key), out var found))
        {
            return new(new KeyValueAnswer(Next ?? KeyValueStatus.NotFound, Hops: 1));
        }

        value?.Write(found.Value);
        metadata?.Write(found.Metadata);
        return new(
            new KeyValueAnswer(KeyValueStatus.Done, found.Version, found.Value.Length, Hops: 2)
            {
                Expires = LastExpires,
            }
        );
    }

    public async ValueTask<KeyValueAnswer> PutAsync(
        KeyValueKey key,
        ReadOnlyMemory<byte> value,
        KeyValuePut put = default
    )
    {
        (Puts, LastCondition, LastExpires) = (Puts + 1, put.Condition, put.Expires);
        return await ChangeAsync(key, put.Condition, (value.ToArray(), put.Metadata.ToArray()));
    }

    public async ValueTask<IKeyValueReader> OpenReadAsync(KeyValueKey key, KeyValueReads reads = KeyValueReads.Latest)
    {
        var value = new ArrayBufferWriter<byte>();
        var metadata = new ArrayBufferWriter<byte>();
        return new FakeReader(await GetAsync(key, reads, value, metadata), metadata.WrittenMemory, value.WrittenMemory);
    }

    public IKeyValueWriter OpenWrite(KeyValueKey key) => new FakeWriter(this, key, Longest);

    public ValueTask<KeyValueAnswer> DeleteAsync(KeyValueKey key, KeyValueCondition condition = default)
    {
        LastCondition = condition;
        return ChangeAsync(key, condition, null);
    }

    // Add and append.
    public async ValueTask<KeyValueAnswer> ChangeAsync(
        KeyValueKey key,
        KeyValueChange change,
        IBufferWriter<byte>? value = null
    )
    {
        LastCondition = change.Condition;
        byte[] old = _byKey.TryGetValue(Name(key), out var found) ? found.Value : [];
        byte[] next =
            change.Kind == KeyValueChangeKind.Append
                ? [.. old, .. change.Value.Span]
                : Encoding.UTF8.GetBytes($"{(old.Length == 0 ? 0 : long.Parse(old)) + change.Number}");
        KeyValueAnswer answer = await ChangeAsync(key, change.Condition, (next, found.Metadata ?? []));
        if (answer.Status == KeyValueStatus.Done)
        {
            value?.Write(next);
        }

        return answer;
    }

    // Batches, as they came.
    public ValueTask<KeyValueBatchAnswer> ApplyAsync(KeyValueBatch batch)
    {
        LastBatch = batch;
        return new(NextBatch);
    }

    public KeyValueBatch? LastBatch { get; private set; }

    public KeyValueBatchAnswer NextBatch { get; set; }

    public async ValueTask<KeyValueAnswer> WaitAsync(KeyValueKey key, ulong unlike, TimeSpan time)
    {
        string name = Name(key);
        if (Next is { } told)
        {
            return new KeyValueAnswer(told);
        }

        bool runs = true;
        long endNanos = server.NowNanos + (long)time.TotalNanoseconds;
        Waits++;
        while (runs && VersionOf(name) == unlike && server.NowNanos < endNanos)
        {
            runs = await server.DelayAsync(TimeSpan.FromMilliseconds(5));
        }

        Waits--;
        ulong version = VersionOf(name);
        return !runs ? new KeyValueAnswer(KeyValueStatus.Unavailable)
            : version == unlike ? new KeyValueAnswer(KeyValueStatus.Conflict, version)
            : version == 0 ? new KeyValueAnswer(KeyValueStatus.NotFound)
            : new KeyValueAnswer(KeyValueStatus.Done, version);
    }

    // Its cursor is the key that was listed last.
    public ValueTask<KeyValuePage> ListAsync(KeyValueKey prefix, string? cursor = null, int limit = 1_000)
    {
        if (Next is { } told)
        {
            return new(new KeyValuePage(told));
        }

        string[] left =
        [
            .. _byKey
                .Keys.Where(name => name.StartsWith(Name(prefix), StringComparison.Ordinal))
                .Order(StringComparer.Ordinal)
                .SkipWhile(name => cursor is not null && string.CompareOrdinal(name, cursor) <= 0),
        ];
        return new(
            new KeyValuePage(KeyValueStatus.Done)
            {
                Keys =
                [
                    .. left.Take(limit)
                        .Select(name => new KeyValueListing(
                            Convert.FromHexString(name.AsSpan(name.IndexOf(':', StringComparison.Ordinal) + 1)),
                            _byKey[name].Version,
                            _byKey[name].Value.Length
                        )),
                ],
                Next = left.Length > limit ? left[limit - 1] : null,
            }
        );
    }

    public IReadOnlyList<KeyValueGroup> ListGroups() =>
        [
            new KeyValueGroup(0, server.Coordinate, 3)
            {
                Epoch = 2,
                Members = [server.Coordinate, server.Shape.At(1), server.Shape.At(2)],
                Away = 0b100,
                Leader = server.Coordinate,
                Applied = 7,
                Last = 9,
                BehindBytes = 300,
            },
            new KeyValueGroup(1, server.Coordinate, 4) { Members = [server.Coordinate], Leader = null },
        ];

    private async ValueTask<KeyValueAnswer> ChangeAsync(
        KeyValueKey key,
        KeyValueCondition condition,
        (byte[] Value, byte[] Metadata)? next
    )
    {
        LastKey = key.Bytes.ToArray();
        string name = Name(key);
        if (Hangs && !await server.DelayAsync(TimeSpan.FromHours(1)))
        {
            return new KeyValueAnswer(KeyValueStatus.Unknown);
        }

        if (Breaks)
        {
            throw new InvalidOperationException("on purpose");
        }

        if (Next is { } told)
        {
            return new KeyValueAnswer(told, told == KeyValueStatus.Conflict ? VersionOf(name) : 0);
        }

        if (Busy > 0)
        {
            Busy--;
            Set(name, ([1], []));
        }

        ulong version = VersionOf(name);
        if (!condition.Fits(version))
        {
            return new KeyValueAnswer(KeyValueStatus.Conflict, version);
        }

        if (next is null && version == 0)
        {
            return new KeyValueAnswer(KeyValueStatus.NotFound);
        }

        Set(name, next);
        return new KeyValueAnswer(KeyValueStatus.Done, _version, Copies: 3, Hops: 1);
    }

    private void Set(string name, (byte[] Value, byte[] Metadata)? next)
    {
        _version++;
        if (next is var (value, metadata))
        {
            _byKey[name] = (_version, value, metadata);
        }
        else
        {
            _byKey.Remove(name);
        }
    }

    private ulong VersionOf(string name) => _byKey.TryGetValue(name, out var found) ? found.Version : 0;

    private static string Name(KeyValueKey key) => $"{key.Table}:{Convert.ToHexString(key.Bytes.Span)}";
}
