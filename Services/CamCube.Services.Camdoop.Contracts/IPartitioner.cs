namespace CamCube.Services.Camdoop;

/// <summary>Says which reduce a pair goes to, by its key only. See <see cref="IMapper"/> for constructors, threads and
/// errors; one instance for each attempt at a map task.</summary>
public interface IPartitioner
{
    /// <summary>The reduce of a key: always the same for the same key.</summary>
    /// <param name="key">The key, valid for the call.</param>
    /// <param name="reduces">How many reduces there are, from 1.</param>
    /// <returns>From 0 to less than <paramref name="reduces"/>; anything else fails the job.</returns>
    int Partition(ReadOnlySpan<byte> key, int reduces);
}
