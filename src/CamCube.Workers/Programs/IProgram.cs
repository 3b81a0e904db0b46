namespace CamCube.Workers;

/// <summary>
/// A program that runs: what it reads, what it writes and how it ends. One writer and one reader at a time; any thread,
/// on a server's loop best: what is awaited there goes on there, and nothing blocks. Disposing of it kills it with all
/// of its group and returns at once.
/// </summary>
public interface IProgram : IDisposable
{
    /// <summary>Another value each time that it has taken input or written output or errors: one that does nothing for
    /// long is known by it, by its caller's clock. Any thread.</summary>
    long Activity { get; }

    /// <summary>Gives it input. Best 64 to 256 KiB at a time: each call costs a wake-up.</summary>
    /// <param name="input">Lent until it is taken: by the pipe, which holds up to 1 MiB that the program has not
    /// read.</param>
    /// <returns>False: it takes no more, as it has closed its input or ended. What it writes is read all the
    /// same.</returns>
    /// <exception cref="InvalidOperationException">One is being written, or the input was completed.</exception>
    ValueTask<bool> WriteAsync(ReadOnlyMemory<byte> input);

    /// <summary>There is no more input. Once or more.</summary>
    /// <exception cref="InvalidOperationException">Some is being written.</exception>
    void CompleteInput();

    /// <summary>Reads of its output. Nothing is read ahead: who does not read makes the program wait, once its pipe of
    /// 1 MiB is full.</summary>
    /// <param name="buffer">Lent until the call has ended; at least a byte, best 64 to 256 KiB.</param>
    /// <returns>How many bytes; 0: there is no more output. All ends of its pipe are closed, or it has ended and
    /// <see cref="ProgramsOptions.OutputGrace"/> is over.</returns>
    /// <exception cref="InvalidOperationException">Some is being read.</exception>
    ValueTask<int> ReadAsync(Memory<byte> buffer);

    /// <summary>Its end: once it has ended and all ends of its pipes are closed, or after
    /// <see cref="ProgramsOptions.OutputGrace"/>. Its output may be read afterwards, as much as its pipe holds. Any
    /// number of callers.</summary>
    ValueTask<ProgramEnd> EndAsync();

    /// <summary>Kills it with all of its group; at once and once or more. What it wrote before can be read.</summary>
    /// <param name="why">What its end is to say.</param>
    void Kill(ProgramKill why = ProgramKill.Disposed);
}
