using System.Buffers;
using System.Text;

namespace CamCube.Services.Camdoop.Tasks;

/// <summary>Lines with a key and a value as other lines. One thread at a time.</summary>
internal sealed class LineChanger
{
    private readonly byte[] _from;
    private readonly byte[] _to;
    private readonly int _keyFields;
    private readonly bool _dropsKey;
    private readonly bool _alwaysSeparates;
    private readonly ArrayBufferWriter<byte> _text = new();
    private readonly LineCutter _lines;

    private LineChanger(string from, int keyFields, string to, bool dropsKey, bool alwaysSeparates, int most)
    {
        (_from, _to) = (Encoding.UTF8.GetBytes(from), Encoding.UTF8.GetBytes(to));
        (_keyFields, _dropsKey, _alwaysSeparates) = (keyFields, dropsKey, alwaysSeparates);
        _lines = new LineCutter(most, Add);
    }

    /// <summary>What is wrong; null: nothing.</summary>
    public string? Wrong => _lines.Wrong;

    /// <summary>What was made since <see cref="Clear"/>.</summary>
    public ReadOnlyMemory<byte> Text => _text.WrittenMemory;

    /// <summary>What the map function gets of lines of the input; null: they stay as they are.</summary>
    /// <param name="job">The job.</param>
    /// <param name="most">Bytes of the longest line.</param>
    public static LineChanger? OfInput(JobDescription job, int most)
    {
        JobText text = job.Text;
        if (text.Input != JobInput.KeyedLines)
        {
            return null;
        }

        // Who gives what it gets gives keys and values.
        string to = job.Map.Kind == JobFunctionKind.Identity ? text.MapOutputSeparator : text.MapInputSeparator;
        return new LineChanger(text.InputSeparator, 1, to, !text.MapInputHasKey, alwaysSeparates: true, most);
    }

    /// <summary>What files of output get of a function's lines; null: they stay as they are.</summary>
    /// <param name="job">The job.</param>
    /// <param name="most">Bytes of the longest line.</param>
    public static LineChanger? OfOutput(JobDescription job, int most)
    {
        JobText text = job.Text;
        bool isMapOnly = job.Reduces == 0;
        string from = isMapOnly ? text.MapOutputSeparator : text.ReduceOutputSeparator;
        int fields = isMapOnly ? text.MapOutputKeyFields : text.ReduceOutputKeyFields;
        return from == text.OutputSeparator
            ? null
            : new LineChanger(from, fields, text.OutputSeparator, dropsKey: false, alwaysSeparates: false, most);
    }

    /// <summary>Adds text, cut anywhere.</summary>
    public void Add(ReadOnlyMemory<byte> text) => _lines.Add(text.Span);

    /// <summary>No more comes: the last line may have no end.</summary>
    public void Complete() => _lines.Complete();

    /// <summary>What was made is used.</summary>
    public void Clear() => _text.ResetWrittenCount();

    private void Add(ReadOnlySpan<byte> line)
    {
        ReadOnlySpan<byte> key = Fields.First(line, _from, _keyFields);
        bool hasValue = key.Length < line.Length;
        if (!_dropsKey)
        {
            _text.Write(key);
        }

        if (!_dropsKey && (hasValue || _alwaysSeparates))
        {
            _text.Write(_to);
        }

        if (hasValue)
        {
            _text.Write(line[(key.Length + _from.Length)..]);
        }

        _text.Write("\n"u8);
    }
}
