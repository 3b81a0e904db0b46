using System.Buffers;
using System.Buffers.Binary;
using System.Text;
using CamCube.Services.Camdoop.Assemblies;

namespace CamCube.Services.Camdoop.Tasks;

/// <summary>Has a reducer in C# make lines of pairs, a window of them at a time: <see cref="Add"/> and the rest on the
/// loop, <see cref="Run"/> off it, never both at once. 0 bytes allocated per record.</summary>
internal sealed class FunctionReduce : IEmitter
{
    // Of pairs in a window, unless one is longer.
    private const int WindowBytes = 64 << 10;
    private const int HeadBytes = 2 * sizeof(int);
    private readonly FunctionSet _functions;
    private readonly byte[] _separator;
    private readonly long _mostBytes;
    private readonly TaskCounters _counters;
    private readonly ArrayBufferWriter<byte> _lines = new(WindowBytes);

    // Of each key: bytes of it, and of its values behind their lengths; then both.
    private byte[] _groups = [];
    private byte[] _key = [];
    private int _length;
    private int _group = -1;
    private int _keyLength = -1;
    private bool _isFirst;
    private string? _wrong;

    /// <summary>For one attempt.</summary>
    /// <param name="functions">Has the reducer.</param>
    /// <param name="separator">What is between key and value in a line.</param>
    /// <param name="mostBytes">Bytes of lines that a window may give.</param>
    /// <param name="counters">The attempt's.</param>
    public FunctionReduce(FunctionSet functions, string separator, long mostBytes, TaskCounters counters)
    {
        (_functions, _mostBytes, _counters) = (functions, mostBytes, counters);
        _separator = Encoding.UTF8.GetBytes(separator);
    }

    /// <summary>No pairs wait.</summary>
    public bool IsEmpty => _length == 0;

    /// <summary>The window is to be run before more come.</summary>
    public bool IsFull => _length >= WindowBytes;

    /// <summary>Bytes of the window.</summary>
    public int Bytes => _length;

    /// <summary>Lines that were made of the window, until <see cref="Clear"/>.</summary>
    public ReadOnlyMemory<byte> Lines => _lines.WrittenMemory;

    /// <summary>Adds a pair.</summary>
    /// <param name="key">Its key.</param>
    /// <param name="value">Its value.</param>
    /// <param name="isNew">Whether it is of another key than the one before.</param>
    public void Add(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, bool isNew)
    {
        Grow(ref _groups, _length, HeadBytes + key.Length + sizeof(int) + value.Length);
        if (isNew || _group < 0)
        {
            // A window may begin within a key, with no more than its values.
            _group = _length;
            int keyLength = isNew ? key.Length : -1;
            BinaryPrimitives.WriteInt32LittleEndian(_groups.AsSpan(_length), keyLength);
            BinaryPrimitives.WriteInt32LittleEndian(_groups.AsSpan(_length + sizeof(int)), 0);
            _length += HeadBytes;
            if (isNew)
            {
                key.CopyTo(_groups.AsSpan(_length));
                _length += key.Length;
            }
        }

        Span<byte> values = _groups.AsSpan(_group + sizeof(int));
        int before = BinaryPrimitives.ReadInt32LittleEndian(values);
        BinaryPrimitives.WriteInt32LittleEndian(values, before + sizeof(int) + value.Length);
        BinaryPrimitives.WriteInt32LittleEndian(_groups.AsSpan(_length), value.Length);
        value.CopyTo(_groups.AsSpan(_length + sizeof(int)));
        _length += sizeof(int) + value.Length;
    }

    /// <summary>Reduces what is in the window.</summary>
    /// <param name="isOver">Whether no more comes.</param>
    /// <returns>What is wrong, in words; null: nothing.</returns>
    public string? Run(bool isOver)
    {
        for (int at = 0; at < _length && Wrong is null; )
        {
            int keyLength = BinaryPrimitives.ReadInt32LittleEndian(_groups.AsSpan(at));
            int values = BinaryPrimitives.ReadInt32LittleEndian(_groups.AsSpan(at + sizeof(int)));
            at += HeadBytes;
            if (keyLength >= 0)
            {
                End();
                Grow(ref _key, 0, keyLength);
                _groups.AsSpan(at, keyLength).CopyTo(_key);
                (_keyLength, _isFirst) = (keyLength, true);
                at += keyLength;
            }

            // More of the last key of a window may come.
            Reduce(_groups.AsSpan(at, values), isLast: at + values < _length);
            at += values;
        }

        if (isOver && Wrong is null)
        {
            End();
            _functions.CompleteReduce(this);
        }

        return Wrong;
    }

    /// <summary>Lines and pairs of the window are used.</summary>
    public void Clear()
    {
        _lines.ResetWrittenCount();
        (_length, _group) = (0, -1);
    }

    /// <inheritdoc/>
    public void Emit(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        if (_lines.WrittenCount + (long)key.Length + value.Length > _mostBytes)
        {
            _wrong ??=
                $"{_functions.Functions.Reducer} gave more than {_mostBytes:N0} bytes for {WindowBytes:N0} "
                + "(CamCube:Services:camdoop:SortBytes)";
        }

        if (Wrong is not null)
        {
            return;
        }

        _lines.Write(key);
        if (!value.IsEmpty)
        {
            _lines.Write(_separator);
            _lines.Write(value);
        }

        _lines.Write("\n"u8);
    }

    /// <inheritdoc/>
    public void Count(string group, string name, long by = 1) => _counters.AddOf(group, name, by);

    private string? Wrong => _wrong ?? _functions.Wrong;

    // That it was the last of its values was not known when they were given.
    private void End()
    {
        if (_keyLength >= 0)
        {
            Reduce(default, isLast: true);
        }
    }

    private void Reduce(ReadOnlySpan<byte> values, bool isLast)
    {
        _functions.Reduce(_key.AsSpan(0, _keyLength), new ReduceValues(values, _isFirst, isLast), this);
        _isFirst = false;
        _keyLength = isLast ? -1 : _keyLength;
    }

    private static void Grow(ref byte[] bytes, int used, int more)
    {
        if (bytes.Length - used < more)
        {
            Array.Resize(ref bytes, (int)Math.Min(Array.MaxLength, Math.Max(256, 2L * (used + more))));
        }
    }
}
