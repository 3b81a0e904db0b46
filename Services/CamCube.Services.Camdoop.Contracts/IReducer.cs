namespace CamCube.Services.Camdoop;

/// <summary>Makes lines of the output of all values of a key, keys in their order. See <see cref="IMapper"/> for
/// constructors, threads and errors; one instance for each attempt at a reduce.</summary>
public interface IReducer
{
    /// <summary>Values of a key. Of a key with many it is called several times: the values then come in parts, as they
    /// arrive, so that a key may have more than there is memory for.</summary>
    /// <param name="key">The key, valid for the call.</param>
    /// <param name="values">The next values, and whether they are the key's first and its last.</param>
    /// <param name="output">Takes lines, valid for the call.</param>
    void Reduce(ReadOnlySpan<byte> key, ReduceValues values, IEmitter output);

    /// <summary>There are no more keys: what it has kept can be given.</summary>
    /// <param name="output">Takes lines, valid for the call.</param>
    void Complete(IEmitter output) { }
}
