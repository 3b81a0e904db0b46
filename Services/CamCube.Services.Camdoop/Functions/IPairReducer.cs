using System.Buffers;

namespace CamCube.Services.Camdoop.Functions;

/// <summary>Makes lines of a reduce's pairs, which come in order. One for each attempt; loop only.</summary>
internal interface IPairReducer
{
    /// <summary>What is wrong with a pair that came, in words; null: nothing.</summary>
    string? Wrong { get; }

    /// <summary>The next pair.</summary>
    void Add(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, IBufferWriter<byte> lines);

    /// <summary>That was all.</summary>
    void Complete(IBufferWriter<byte> lines);
}
