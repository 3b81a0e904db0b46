using System.Runtime.InteropServices;

namespace CamCube.Linux;

/// <summary>Error numbers of Linux that are told apart, and their words.</summary>
public static class SystemError
{
    /// <summary>EPERM.</summary>
    public const int NotPermitted = 1;

    /// <summary>ENOENT.</summary>
    public const int NoSuchFile = 2;

    /// <summary>EINTR.</summary>
    public const int Interrupted = 4;

    /// <summary>ENXIO: the interface of a packet socket is gone.</summary>
    public const int NoSuchDevice = 6;

    /// <summary>EIO: of a network card, that it is not up.</summary>
    public const int InputOutput = 5;

    /// <summary>EAGAIN: later.</summary>
    public const int Again = 11;

    /// <summary>EACCES.</summary>
    public const int AccessDenied = 13;

    /// <summary>EBUSY.</summary>
    public const int Busy = 16;

    /// <summary>EEXIST.</summary>
    public const int Exists = 17;

    /// <summary>ENODEV.</summary>
    public const int NoDevice = 19;

    /// <summary>ENFILE: the system has no descriptor left.</summary>
    public const int TooManyFilesOfSystem = 23;

    /// <summary>EMFILE: this process has no descriptor left.</summary>
    public const int TooManyFiles = 24;

    /// <summary>ENOSYS: the kernel does not know the call.</summary>
    public const int NotImplemented = 38;

    /// <summary>EBADFD: of a network card, that somebody deleted it.</summary>
    public const int BadDescriptorState = 77;

    /// <summary>EMSGSIZE: longer than the MTU.</summary>
    public const int MessageTooLong = 90;

    /// <summary>EOPNOTSUPP.</summary>
    public const int NotSupported = 95;

    /// <summary>EAFNOSUPPORT: the system does not have this family of addresses.</summary>
    public const int NoFamily = 97;

    /// <summary>ENETDOWN: the interface is down.</summary>
    public const int NetworkDown = 100;

    /// <summary>ENOBUFS: a queue of the kernel is full and the frame is lost, or a socket has missed
    /// messages.</summary>
    public const int NoBuffers = 105;

    /// <summary>ECONNREFUSED: a UDP peer answered that nobody listens.</summary>
    public const int ConnectionRefused = 111;

    /// <summary>The system's words for an error number, as in "Operation not permitted".</summary>
    public static string Text(int error) => Marshal.GetPInvokeErrorMessage(error);

    /// <summary>An exception for a call that cannot fail unless something is badly wrong.</summary>
    public static IOException Failure(string call, int error) => new($"{call}: {Text(error)} ({error})");
}
