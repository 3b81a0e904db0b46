using System.Text;
using CamCube.Services.Camdoop.Assemblies;
using CamCube.Services.Camdoop.Functions;
using CamCube.Services.Camdoop.Keys;
using CamCube.Services.Camdoop.Lines;
using CamCube.Services.Camdoop.Plans;
using CamCube.Services.Camdoop.Records;
using CamCube.Trees;

namespace CamCube.Services.Camdoop.Tasks;

/// <summary>Makes pairs of lines, and records of pairs, as a job has it. One thread at a time.</summary>
internal sealed class PairMaker
{
    private readonly PairSorter _sorter;
    private readonly byte[] _separator;
    private readonly int _keyFields;
    private readonly SortKey? _order;
    private readonly PartitionKey? _partition;
    private readonly FunctionSet? _partitioner;
    private readonly int _reduces;
    private byte[] _orderBytes = [];
    private byte[] _partitionBytes = [];
    private byte[] _list = [];
    private readonly bool _aggregates;
    private byte[] _value = [];

    /// <summary>For one attempt.</summary>
    /// <param name="job">The job.</param>
    /// <param name="sorter">Gets them.</param>
    /// <param name="functions">The job's functions in C#; null: it has none.</param>
    public PairMaker(JobDescription job, PairSorter sorter, FunctionSet? functions)
    {
        _partitioner = functions?.Functions.Partitioner is null ? null : functions;
        _reduces = job.Reduces;
        JobText text = job.Text;
        _aggregates = AggregateValues.IsOf(job);
        (_sorter, _keyFields) = (sorter, text.MapOutputKeyFields);
        _separator = Encoding.UTF8.GetBytes(text.MapOutputSeparator);
        (_order, _partition) = (SortKey.Of(text), PartitionKey.Of(text));
    }

    /// <summary>Adds a line.</summary>
    public void Line(ReadOnlySpan<byte> line)
    {
        ReadOnlySpan<byte> key = Fields.First(line, _separator, _keyFields);
        bool hasValue = key.Length < line.Length;
        Pair(key, hasValue ? line[(key.Length + _separator.Length)..] : default);
    }

    /// <summary>What is wrong with a pair; null: nothing.</summary>
    public string? Wrong { get; private set; }

    /// <summary>Adds a pair.</summary>
    public void Pair(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        if (_aggregates)
        {
            AggregateKind kind = AggregateKeys.Read(key, out _);
            Wrong ??= AggregateValues.WrongOf(kind, key, value);
            if (AggregateValues.IsList(kind))
            {
                Grow(ref _list, value.Length + RecordFormat.MostHead + 1 + sizeof(long));
                value = _list.AsSpan(0, AggregateValues.WriteOne(value, _list));
            }
        }

        int reduce = _partitioner?.Partition(key, _reduces) ?? PairSorter.ByHash;
        ReadOnlySpan<byte> partition = key;
        if (_partition is not null)
        {
            Grow(ref _partitionBytes, _partition.MostBytes(key.Length));
            partition = _partition.Find(key, _partitionBytes);
        }

        if (_order is null)
        {
            _sorter.Add(key, value, partition, reduce);
            return;
        }

        // The key itself travels in front of the value: what is sorted by cannot be turned back into it.
        int most = sizeof(int) + key.Length + value.Length;
        Grow(ref _orderBytes, _order.MostBytes(key.Length));
        Grow(ref _value, most);
        int length = _order.Make(key, _orderBytes);
        BitConverter.TryWriteBytes(_value, key.Length);
        key.CopyTo(_value.AsSpan(sizeof(int)));
        value.CopyTo(_value.AsSpan(sizeof(int) + key.Length));
        _sorter.Add(_orderBytes.AsSpan(0, length), _value.AsSpan(0, most), partition, reduce);
    }

    /// <summary>The key and the value of a record, as the job's functions know them.</summary>
    /// <param name="text">The job's.</param>
    /// <param name="key">The record's key.</param>
    /// <param name="value">The record's value.</param>
    /// <param name="first">The key.</param>
    /// <param name="second">The value.</param>
    /// <returns>False: no record of the job is like this.</returns>
    public static bool TryTurnBack(
        JobText text,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> value,
        out ReadOnlySpan<byte> first,
        out ReadOnlySpan<byte> second
    ) => KeyForm.TryRead(key, value, text.SortFields.Count > 0, out first, out second);

    private static void Grow(ref byte[] bytes, long least)
    {
        if (bytes.Length < least)
        {
            bytes = new byte[Math.Max(256, Math.Min(2 * least, Array.MaxLength))];
        }
    }
}
