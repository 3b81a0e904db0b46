namespace CamCube.Workers;

/// <summary>What one program may use. Each process that it starts has the same for itself.</summary>
public sealed record ProgramLimits
{
    /// <summary>Bytes that it may write to memory of its own (RLIMIT_DATA). Default 0: none. Too low: it cannot begin.
    /// None: one program takes the memory of the machine.</summary>
    public long MemoryBytes { get; init; }

    /// <summary>Descriptors that it may have (RLIMIT_NOFILE). Default 1,024; 0: as this process.</summary>
    public int Descriptors { get; init; } = 1_024;

    /// <summary>Bytes of the longest file that it may write (RLIMIT_FSIZE). Default 0: none. None: one program fills
    /// the disk.</summary>
    public long FileBytes { get; init; }

    /// <summary>Processor time that it may use (RLIMIT_CPU), in whole seconds: then it is signalled, a second
    /// later killed. Default none.</summary>
    public TimeSpan ProcessorTime { get; init; }

    /// <summary>How much nicer it is than the servers, 0 to 19. Default 10: while both want all of a processor, it has
    /// a tenth of what a server's thread has. 0: servers wait for programs.</summary>
    public int Nicer { get; init; } = 10;
}
