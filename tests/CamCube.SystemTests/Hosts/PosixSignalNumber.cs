namespace CamCube.SystemTests.Hosts;

/// <summary>Signal numbers of Linux.</summary>
internal enum PosixSignalNumber
{
    Interrupt = 2,
    Kill = 9,
    Terminate = 15,
    Continue = 18,
    Stop = 19,
}
