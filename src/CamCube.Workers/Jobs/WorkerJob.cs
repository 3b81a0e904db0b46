using System.Buffers;

namespace CamCube.Workers;

/// <summary>What a worker is asked.</summary>
/// <param name="Request">The whole frame that it is sent. It is the pool's, and does not change, until the job has
/// ended.</param>
/// <param name="Subject">The part of it by which a request that killed a worker is known again: best what came from
/// outside. Empty: none, it is not remembered.</param>
/// <param name="Cost">How long it takes: in virtual time just so; of processes only whether that is more than
/// <see cref="WorkerOptions.LongFrom"/> is looked at.</param>
public readonly record struct WorkerJob(
    ReadOnlySequence<byte> Request,
    ReadOnlySequence<byte> Subject = default,
    TimeSpan Cost = default
);
