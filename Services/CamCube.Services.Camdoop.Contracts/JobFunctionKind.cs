namespace CamCube.Services.Camdoop;

/// <summary>What a function of a job is.</summary>
public enum JobFunctionKind : byte
{
    /// <summary>It gives what it gets: of a line of input all of it is the key.</summary>
    Identity = 0,

    /// <summary>A program that reads lines and writes lines, as Hadoop Streaming's are.</summary>
    Program = 1,

    /// <summary>A type of the job's assembly (<see cref="IMapper"/> and the others).</summary>
    Function = 2,

    /// <summary>What Hadoop calls <c>aggregate</c>: keys say how their values become one, as in
    /// <c>LongValueSum:word</c>.</summary>
    Aggregate = 3,
}
