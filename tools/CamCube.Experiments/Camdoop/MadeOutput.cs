using System.IO.Hashing;

namespace CamCube.Experiments.Camdoop;

/// <summary>Output of a reduce, of which only what it is remains; its lines have to be in order. One
/// thread.</summary>
internal sealed class MadeOutput
{
    private readonly XxHash128 _hash = new();
    private readonly IShuffleInput _input;
    private byte[] _part = [];
    private byte[] _last = [];
    private int _lastLength;
    private UInt128 _sum;

    /// <summary>Output of a reduce.</summary>
    /// <param name="input">Knows its lines.</param>
    /// <param name="path">Its path.</param>
    /// <param name="at">The server of the reduce, by the plan.</param>
    /// <param name="began">When it was begun, in virtual nanoseconds.</param>
    public MadeOutput(IShuffleInput input, string path, Coordinate? at, long began) =>
        (_input, Path, At, BeganNanos, LastNanos) = (input, path, at, began, began);

    /// <summary>Its path.</summary>
    public string Path { get; }

    /// <summary>The server of the reduce, by the plan.</summary>
    public Coordinate? At { get; }

    /// <summary>When it was begun, in virtual nanoseconds.</summary>
    public long BeganNanos { get; }

    /// <summary>When its last bytes came.</summary>
    public long LastNanos { get; private set; }

    /// <summary>Bytes.</summary>
    public long Length { get; private set; }

    /// <summary>Lines.</summary>
    public long Lines { get; private set; }

    /// <summary>What reading all lines has summed up.</summary>
    public UInt128 Sum => _sum;

    /// <summary>A line is none, or not in order.</summary>
    public bool IsWrong { get; private set; }

    /// <summary>It has its name.</summary>
    public bool IsCommitted { get; set; }

    /// <summary>What all of it is, in short.</summary>
    public string Digest => Convert.ToHexStringLower(_hash.GetCurrentHash());

    /// <summary>Adds bytes.</summary>
    public void Add(ReadOnlySpan<byte> bytes, long nanos)
    {
        (LastNanos, Length) = (nanos, Length + bytes.Length);
        _hash.Append(bytes);
        if (_part.Length > 0)
        {
            bytes = (byte[])[.. _part, .. bytes];
        }

        while (bytes.IndexOf((byte)'\n') is >= 0 and int end)
        {
            ReadOnlySpan<byte> line = bytes[..end];
            bytes = bytes[(end + 1)..];
            IsWrong |= !_input.TryRead(line, ref _sum) || line.SequenceCompareTo(_last.AsSpan(0, _lastLength)) < 0;
            _last = line.Length <= _last.Length ? _last : new byte[2 * line.Length];
            line.CopyTo(_last);
            (_lastLength, Lines) = (line.Length, Lines + 1);
        }

        _part = bytes.ToArray();
    }
}
