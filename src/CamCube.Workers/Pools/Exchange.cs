namespace CamCube.Workers;

/// <summary>How a frame came.</summary>
/// <param name="Status">Answered, TimedOut, Died or Rubbish.</param>
/// <param name="Frame">The frame.</param>
/// <param name="Text">What was wrong.</param>
internal readonly record struct Exchange(WorkerStatus Status, byte[] Frame, string Text);
