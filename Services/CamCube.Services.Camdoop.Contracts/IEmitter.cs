namespace CamCube.Services.Camdoop;

/// <summary>Takes what a function of a job gives. Valid for the call that it was handed to, and to be used by its
/// thread only.</summary>
public interface IEmitter
{
    /// <summary>Gives a pair: of a mapper one to be sorted, of a reducer a line of the output, with the job's separator
    /// between key and value, or without one if the value is empty. Both are copied. What is too long, or too much for
    /// one record, fails the job; then it does nothing any more.</summary>
    /// <param name="key">The key, any bytes, of a mapper 0 to as many as a pair may have.</param>
    /// <param name="value">The value, any bytes.</param>
    void Emit(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value);
}
