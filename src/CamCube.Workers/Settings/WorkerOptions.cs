namespace CamCube.Workers;

/// <summary>Workers of one kind: how many, and what one may use.</summary>
public sealed record WorkerOptions
{
    /// <summary>Processes at once, 1 to 256; 0, the default, means as many as there are processors. They are started
    /// when there is work for them. More: work takes processors from the servers.</summary>
    public int Processes { get; init; }

    /// <summary>Jobs that cost as much (<see cref="WorkerJob.Cost"/>) are long: while they have all
    /// <see cref="Processes"/>, others get one process more, so that who sends long ones does not keep those waiting.
    /// Default 250 ms.</summary>
    public TimeSpan LongFrom { get; init; } = TimeSpan.FromMilliseconds(250);

    /// <summary>How much nicer workers are than the servers, 0 to 19. Default 10: while both want all of a processor, a
    /// worker has a tenth of what a server's thread has. 0: jobs that cost much make everybody else wait. 19: on a
    /// machine that is never idle a sound worker may miss its <see cref="Deadline"/>.</summary>
    public int Nicer { get; init; } = 10;

    /// <summary>For how long a worker is at a job, or begins, only while nobody else wants the processor
    /// (SCHED_IDLE): so who wakes does not wait for it. Then it has the share that <see cref="Nicer"/> gives, so that
    /// others cannot keep it from its end. Default 500 ms; 0: never. Longer: on a machine that is never idle jobs take
    /// longer by that, of their <see cref="Deadline"/>, too. Only where the system lets this process take it back: as
    /// root, with CAP_SYS_NICE or with RLIMIT_NICE.</summary>
    public TimeSpan YieldTime { get; init; } = TimeSpan.FromMilliseconds(500);

    /// <summary>Jobs that may wait in this process; more are <see cref="WorkerStatus.Busy"/>. Default 64.</summary>
    public int QueueLimit { get; init; } = 64;

    /// <summary>How long a worker may take for one job, its own start not counted; 10 ms to 1 day. Default 10 s. Too
    /// short: a busy machine kills workers that are sound.</summary>
    public TimeSpan Deadline { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>How long a worker may take to start. Default 10 s.</summary>
    public TimeSpan StartDeadline { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>How long a worker without work lives on. Default 30 s.</summary>
    public TimeSpan IdleTime { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Bytes that a worker may write to memory of its own (RLIMIT_DATA); at least 16 MiB. Default 256
    /// MiB.</summary>
    public long MemoryLimit { get; init; } = 256L << 20;

    /// <summary>Processor time that one worker may use in its life (RLIMIT_CPU); it is replaced before, between two
    /// jobs. Default 10 minutes.</summary>
    public TimeSpan ProcessorLimit { get; init; } = TimeSpan.FromMinutes(10);

    /// <summary>Descriptors that a worker may have (RLIMIT_NOFILE). Default 64.</summary>
    public int DescriptorLimit { get; init; } = 64;

    /// <summary>Bytes of the longest file that a worker may write (RLIMIT_FSIZE). Default 0: none.</summary>
    public long FileLimit { get; init; }

    /// <summary>Bytes of the longest answer. Default 64 MiB.</summary>
    public int AnswerLimit { get; init; } = 64 << 20;

    /// <summary>Requests that killed a worker and are remembered by their SHA-256, so that they do it once; the oldest
    /// is forgotten for a newer one. Default 1,024; 0: none.</summary>
    public int RememberedKillers { get; init; } = 1_024;

    /// <summary>How long such a request is remembered: it may have been innocent, on a machine without memory. Default
    /// 1 hour.</summary>
    public TimeSpan RememberedTime { get; init; } = TimeSpan.FromHours(1);
}
