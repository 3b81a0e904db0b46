using CamCube.Services.Camdoop;

namespace CamCube.Experiments.Camdoop;

/// <summary>Input of jobs, a file at each server, and what their output has to be. Immutable.</summary>
internal interface IShuffleInput
{
    /// <summary>Files.</summary>
    int Files { get; }

    /// <summary>Bytes of a file.</summary>
    long LengthOf(int file);

    /// <summary>Begins to give a file: as <see cref="MadeInput.Open"/>.</summary>
    Func<Memory<byte>, int> Open(int file);

    /// <summary>What a job does with it.</summary>
    JobDescription Describe(JobDescription job);

    /// <summary>Looks at a line of output, without its end. False: it is none.</summary>
    bool TryRead(ReadOnlySpan<byte> line, ref UInt128 sum);

    /// <summary>What is wrong with a whole output; null: nothing.</summary>
    /// <param name="lines">Its lines.</param>
    /// <param name="sum">What reading them has summed up.</param>
    /// <param name="files">The files that it is of.</param>
    string? WrongOf(long lines, UInt128 sum, IReadOnlyList<int> files);
}
