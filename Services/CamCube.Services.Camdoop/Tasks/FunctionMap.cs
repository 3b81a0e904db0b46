using CamCube.Services.Camdoop.Assemblies;
using CamCube.Services.Camdoop.Lines;
using CamCube.Services.Camdoop.Records;

namespace CamCube.Services.Camdoop.Tasks;

/// <summary>Has a mapper in C# make pairs of lines. Off the loop, one thread at a time; 0 bytes allocated per
/// record.</summary>
internal sealed class FunctionMap : IEmitter
{
    private const int MostTimes = 4;
    private readonly FunctionSet _functions;
    private readonly MapSink _sink;
    private readonly LineCutter _lines;
    private readonly long _mostBytes;
    private readonly TaskCounters _counters;
    private byte[] _text = [];
    private int _length;
    private int _taken;
    private long _bytes;
    private string? _wrong;

    /// <summary>For one attempt.</summary>
    /// <param name="functions">The functions.</param>
    /// <param name="sink">Gets what they give.</param>
    /// <param name="limits">The job's.</param>
    /// <param name="end">What ends a record.</param>
    /// <param name="counters">The attempt's.</param>
    public FunctionMap(FunctionSet functions, MapSink sink, SortLimits limits, RecordEnd end, TaskCounters counters)
    {
        (_functions, _sink, _mostBytes, _counters) = (functions, sink, limits.SortBytes, counters);
        _lines = new LineCutter(limits.MostRecord, line => _functions.Map(line, this), end);
    }

    /// <summary>Bytes that wait to be mapped: some may be left, if so much was given that the sink is to be flushed
    /// before the rest.</summary>
    public int Left => _length - _taken;

    /// <summary>Adds a piece of text, cut anywhere, when nothing waits. It is copied: a mapper that does not return has
    /// it for good.</summary>
    public void Add(ReadOnlySpan<byte> text)
    {
        if (_text.Length < text.Length)
        {
            _text = new byte[text.Length];
        }

        text.CopyTo(_text);
        (_length, _taken) = (text.Length, 0);
    }

    /// <summary>Maps lines of what waits.</summary>
    /// <returns>What is wrong, in words; null: nothing.</returns>
    public string? Run()
    {
        _bytes = 0;
        while (Left > 0 && _bytes < _mostBytes && Wrong is null)
        {
            ReadOnlySpan<byte> rest = _text.AsSpan(_taken, Left);
            int end = rest.IndexOf((byte)'\n');
            int length = end < 0 ? rest.Length : end + 1;
            _lines.Add(rest[..length]);
            _taken += length;
        }

        return Wrong;
    }

    /// <summary>That was all.</summary>
    /// <returns>What is wrong, in words; null: nothing.</returns>
    public string? Complete()
    {
        _bytes = 0;
        _lines.Complete();
        if (Wrong is null)
        {
            _functions.CompleteMap(this);
        }

        return Wrong;
    }

    /// <inheritdoc/>
    public void Emit(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        _bytes += key.Length + value.Length + sizeof(long);
        if (_bytes > MostTimes * _mostBytes)
        {
            _wrong ??=
                $"{_functions.Functions.Mapper} gave more than {MostTimes * _mostBytes:N0} bytes for one record "
                + "(four times CamCube:Services:camdoop:SortBytes)";
        }

        if (Wrong is null)
        {
            _sink.Pair(key, value);
        }
    }

    /// <inheritdoc/>
    public void Count(string group, string name, long by = 1) => _counters.AddOf(group, name, by);

    private string? Wrong => _wrong ?? _functions.Wrong ?? _lines.Wrong ?? _sink.Wrong;
}
