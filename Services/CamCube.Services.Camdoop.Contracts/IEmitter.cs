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

    /// <summary>Adds to a counter of the job. Of attempts that failed, or were made again, nothing is counted; of a job
    /// at most 1,000 counters are, with 256 characters of their names.</summary>
    /// <param name="group">What it is shown below.</param>
    /// <param name="name">Its name.</param>
    /// <param name="by">How much, also less than 0.</param>
    void Count(string group, string name, long by = 1);
}
