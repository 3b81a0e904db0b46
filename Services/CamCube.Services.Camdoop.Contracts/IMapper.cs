namespace CamCube.Services.Camdoop;

/// <summary>
/// Makes pairs of records, in C#: of a job with an assembly (<see cref="JobDescription.Assembly"/>). A public class
/// with a public constructor that takes nothing or <see cref="FunctionTerms"/>; one instance for each attempt at a map
/// task, made, used and let go by one thread at a time, off the loop. It gives the same whenever it gets the same: an
/// attempt is made again when its server is lost. What it throws fails the job, and so does not returning in time
/// (<c>CamCube:Services:camdoop:FunctionTime</c>).
/// </summary>
public interface IMapper
{
    /// <summary>The next record of the task's part of the input.</summary>
    /// <param name="record">A line without its end, valid for the call. Where the job has keyed lines, what a program
    /// would read.</param>
    /// <param name="output">Takes pairs, valid for the call.</param>
    void Map(ReadOnlySpan<byte> record, IEmitter output);

    /// <summary>There are no more records: what it has kept can be given.</summary>
    /// <param name="output">Takes pairs, valid for the call.</param>
    void Complete(IEmitter output) { }
}
