using System.Buffers;
using CamCube.Loads.Choosing;
using CamCube.Loads.Measuring;
using CamCube.Services.KeyValue;

namespace CamCube.Experiments.KeyValues;

/// <summary>A client of YCSB at one server: one operation after the other. Loop only.</summary>
/// <param name="cube">The cube.</param>
/// <param name="rank">Its server.</param>
/// <param name="names">Keys and values of records.</param>
/// <param name="inserted">Records that are there.</param>
/// <param name="random">Of its own.</param>
internal sealed class YcsbClient(ValueCube cube, int rank, RecordNames names, InsertedKeys inserted, LoadRandom random)
{
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(1);
    private readonly ArrayBufferWriter<byte> _read = new();
    private readonly byte[] _value = new byte[names.ValueLength];
    private bool _isStopped;

    /// <summary>What came of operations since it was set.</summary>
    public LoadTally Tally { get; set; } = new();

    /// <summary>It has ended.</summary>
    public bool HasEnded { get; private set; }

    /// <summary>Puts some records, each once.</summary>
    /// <param name="first">The first of them.</param>
    /// <param name="step">From one to the next.</param>
    /// <param name="records">How many there are of all.</param>
    public void Load(long first, long step, long records) =>
        cube.ServerOf(rank).Loop.Run(() => LoadAsync(first, step, records));

    /// <summary>Begins.</summary>
    public void Start(Workload workload) => cube.ServerOf(rank).Loop.Run(() => RunAsync(workload));

    /// <summary>Ends with what it is at.</summary>
    public void Stop() => _isStopped = true;

    private async ValueTask LoadAsync(long first, long step, long records)
    {
        for (long number = first; number < records; number += step)
        {
            await DoAsync(OperationKind.Insert, number);
        }

        HasEnded = true;
    }

    private async ValueTask RunAsync(Workload workload)
    {
        (HasEnded, _isStopped) = (false, false);
        var chooser = new KeyChooser(workload.Distribution, inserted, random);
        while (!_isStopped)
        {
            OperationKind kind = workload.Mix.Next(random);
            long number = kind == OperationKind.Insert ? inserted.Begin() : chooser.Next();
            await DoAsync(kind, number);
            if (kind == OperationKind.Insert)
            {
                inserted.End(number);
            }
        }

        HasEnded = true;
    }

    private async ValueTask DoAsync(OperationKind kind, long number)
    {
        IKeyValueStore store = cube.StoreOf(rank);
        var key = new KeyValueKey(names.KeyOf(number, isCounter: false));
        long began = cube.NowNanos;
        KeyValueStatus status = KeyValueStatus.Done;
        bool isRead = kind is OperationKind.Get or OperationKind.ReadModifyWrite,
            isRight = true;
        if (isRead)
        {
            _read.ResetWrittenCount();
            status = (await store.GetAsync(key, KeyValueReads.Latest, _read)).Status;
            isRight = status != KeyValueStatus.Done || names.IsValueOf(number, _read.WrittenSpan);
        }

        if (kind != OperationKind.Get && status == KeyValueStatus.Done)
        {
            names.WriteValue(number, (long)(random.Next() >> 1), _value);
            status = (await store.PutAsync(key, _value)).Status;
        }

        if (status == KeyValueStatus.Done && isRight)
        {
            Tally.Add(kind, cube.NowNanos - began);
            return;
        }

        Tally.Fail(kind, isRight ? $"{status}" : "wrong");
        await cube.ServerOf(rank).DelayAsync(Pause);
    }
}
