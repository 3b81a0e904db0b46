using CamCube.Testbed;

namespace CamCube.Chaos.Jobs;

/// <summary>A fault in a job.</summary>
/// <param name="Kind">What is done.</param>
/// <param name="At">Part of the undisturbed job's time after which it is.</param>
/// <param name="Pick">Which of the servers it may hit, or of their cables: any number, taken modulo how many there
/// are.</param>
/// <param name="How">How a cable is cut.</param>
/// <param name="Time">How long it lasts.</param>
public readonly record struct JobFault(JobFaultKind Kind, double At, int Pick, CutKind How, TimeSpan Time);
