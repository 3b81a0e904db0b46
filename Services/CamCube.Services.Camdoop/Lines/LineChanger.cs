using System.Buffers;
using System.Buffers.Text;
using System.Text;

namespace CamCube.Services.Camdoop.Lines;

/// <summary>Lines with a key and a value as other lines. One thread at a time.</summary>
internal sealed class LineChanger
{
    private readonly byte[] _from;
    private readonly byte[] _to;
    private readonly int _keyFields;
    private readonly byte[] _end;
    private readonly ArrayBufferWriter<byte> _text = new();
    private readonly LineCutter _lines;
    private bool _hasBegun;

    private LineChanger(string from, int keyFields, string to, RecordEnd fromEnd, RecordEnd toEnd, int most)
    {
        (_from, _to) = (Encoding.UTF8.GetBytes(from), Encoding.UTF8.GetBytes(to));
        (_keyFields, _end) = (keyFields, toEnd.Bytes);
        _lines = new LineCutter(most, Add, fromEnd);
    }

    private enum Change
    {
        Fields,
        FieldsAlwaysSeparated,
        ValueOnly,
        OffsetFirst,
        Nothing,
    }

    /// <summary>What is wrong; null: nothing.</summary>
    public string? Wrong => _lines.Wrong;

    /// <summary>Lines that came.</summary>
    public long Lines => _lines.Lines;

    /// <summary>What was made since <see cref="Clear"/>.</summary>
    public ReadOnlyMemory<byte> Text => _text.WrittenMemory;

    private Change What { get; init; }

    /// <summary>Whether the map function gets where a line begins, so that its text is to come as it is.</summary>
    public static bool NeedsOffsets(JobText text) => text.MapInputHasKey && text.Input != JobInput.KeyedLines;

    /// <summary>What ends a record for the map function: that of the input for who takes records, LF for who takes
    /// lines.</summary>
    public static RecordEnd EndForMap(JobDescription job) =>
        job.Map.Kind == JobFunctionKind.Function || (job.Map.Kind == JobFunctionKind.Identity && job.Reduces > 0)
            ? RecordEnd.Of(job.Text) with
            {
                AlsoReturns = false,
            }
            : RecordEnd.LineFeed;

    /// <summary>What the map function gets of records of the input; null: they stay as they are.</summary>
    /// <param name="job">The job.</param>
    /// <param name="most">Bytes of the longest line.</param>
    public static LineChanger? OfInput(JobDescription job, int most)
    {
        JobText text = job.Text;
        RecordEnd end = RecordEnd.Of(text);
        bool needsOffsets = NeedsOffsets(text);
        Change change =
            needsOffsets ? Change.OffsetFirst
            : text.Input != JobInput.KeyedLines ? Change.Nothing
            : text.MapInputHasKey ? Change.FieldsAlwaysSeparated
            : Change.ValueOnly;
        if (change == Change.Nothing && !end.IsOwn)
        {
            return null;
        }

        // Who gives what it gets gives keys and values.
        string to = job.Map.Kind == JobFunctionKind.Identity ? text.MapOutputSeparator : text.MapInputSeparator;

        // Only who needs offsets gets ends as they are.
        RecordEnd from = needsOffsets ? end : end with { AlsoReturns = false };
        return new LineChanger(text.InputSeparator, 1, to, from, EndForMap(job), most) { What = change };
    }

    /// <summary>What files of output get of a function's lines; null: they stay as they are, as those do whose pairs
    /// are to be read from them.</summary>
    /// <param name="job">The job.</param>
    /// <param name="most">Bytes of the longest line.</param>
    public static LineChanger? OfOutput(JobDescription job, int most)
    {
        JobText text = job.Text;
        bool isMapOnly = job.Reduces == 0;
        string from = isMapOnly ? text.MapOutputSeparator : text.ReduceOutputSeparator;
        int fields = isMapOnly ? text.MapOutputKeyFields : text.ReduceOutputKeyFields;
        return from == text.OutputSeparator || job.Pairs is not null
            ? null
            : new LineChanger(from, fields, text.OutputSeparator, RecordEnd.LineFeed, RecordEnd.LineFeed, most);
    }

    /// <summary>Adds text, cut anywhere.</summary>
    /// <param name="text">The text.</param>
    /// <param name="offset">Bytes before it; of the first piece it counts.</param>
    public void Add(ReadOnlyMemory<byte> text, long offset = 0)
    {
        if (!_hasBegun)
        {
            (_hasBegun, _lines.Begin) = (true, offset);
        }

        _lines.Add(text.Span);
    }

    /// <summary>No more comes: the last line may have no end.</summary>
    public void Complete() => _lines.Complete();

    /// <summary>What was made is used.</summary>
    public void Clear() => _text.ResetWrittenCount();

    private void Add(ReadOnlySpan<byte> line)
    {
        switch (What)
        {
            case Change.Nothing:
                _text.Write(line);
                break;
            case Change.OffsetFirst:
                Span<byte> digits = stackalloc byte[20];
                _ = Utf8Formatter.TryFormat(_lines.Begin, digits, out int length);
                _text.Write(digits[..length]);
                _text.Write(_to);
                _text.Write(line);
                break;
            default:
                AddFields(line);
                break;
        }

        _text.Write(_end);
    }

    private void AddFields(ReadOnlySpan<byte> line)
    {
        ReadOnlySpan<byte> key = Fields.First(line, _from, _keyFields);
        bool hasValue = key.Length < line.Length;
        if (What != Change.ValueOnly)
        {
            _text.Write(key);
        }

        if (What == Change.FieldsAlwaysSeparated || (What == Change.Fields && hasValue))
        {
            _text.Write(_to);
        }

        if (hasValue)
        {
            _text.Write(line[(key.Length + _from.Length)..]);
        }
    }
}
