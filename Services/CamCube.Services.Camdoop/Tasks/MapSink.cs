namespace CamCube.Services.Camdoop.Tasks;

/// <summary>Where what a map function gives goes. <see cref="Pair"/>, <see cref="Text"/> and <see cref="Complete"/> run
/// off the loop, <see cref="FlushAsync"/> on it, never two at once.</summary>
internal abstract class MapSink : IDisposable
{
    /// <summary>A pair.</summary>
    public abstract void Pair(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value);

    /// <summary>Lines of a program, cut anywhere.</summary>
    public abstract void Text(ReadOnlySpan<byte> text);

    /// <summary>That was all: the last line may have no end.</summary>
    public abstract void Complete();

    /// <summary>What is wrong with what it was given; null: nothing.</summary>
    public abstract string? Wrong { get; }

    /// <summary>Gives on what has gathered.</summary>
    /// <returns>Why it cannot, in words; null: it could.</returns>
    public abstract ValueTask<SinkEnd?> FlushAsync();

    /// <inheritdoc/>
    public abstract void Dispose();
}
