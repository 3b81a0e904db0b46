using System.ComponentModel;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace CamCube.Hosting.Lifetime.Windows;

/// <summary>The service manager of Windows (advapi32). One per process.</summary>
[SupportedOSPlatform("windows")]
internal sealed partial class ServiceManager : IServiceManager
{
    private const uint OwnProcess = 0x10;
    private const uint AcceptStop = 1;
    private const uint AcceptShutdown = 4;
    private const int NoServiceManager = 1063;

    // The manager keeps pointers to these for as long as the process lives.
    private ServiceMain? _main;
    private ControlHandler? _handler;
    private nint _status;

    private delegate void ServiceMain(uint count, nint arguments);

    private delegate uint ControlHandler(uint order, uint eventType, nint eventData, nint context);

    /// <inheritdoc/>
    public bool Dispatch(Action main)
    {
        _main = (_, _) => main();
        nint name = Marshal.StringToHGlobalUni("CamCube");
        try
        {
            // A service that has its process for itself may have any name here. The second entry ends the table.
            TableEntry[] table = [new(name, Marshal.GetFunctionPointerForDelegate(_main)), default];
            if (StartDispatcher(table))
            {
                return true;
            }

            int error = Marshal.GetLastPInvokeError();
            return error == NoServiceManager ? false : throw new Win32Exception(error);
        }
        finally
        {
            Marshal.FreeHGlobal(name);
        }
    }

    /// <inheritdoc/>
    public void Register(Func<ServiceOrder, uint> handler)
    {
        _handler = (order, _, _, _) => handler((ServiceOrder)order);
        _status = RegisterHandler("CamCube", Marshal.GetFunctionPointerForDelegate(_handler), 0);
        if (_status == 0)
        {
            throw new Win32Exception();
        }
    }

    /// <inheritdoc/>
    public void Report(ServicePhase state, uint exitCode, uint waitMillis)
    {
        Status status = new()
        {
            Type = OwnProcess,
            State = (uint)state,
            Accepted = state == ServicePhase.Running ? AcceptStop | AcceptShutdown : 0,
            ExitCode = exitCode,
            WaitMillis = waitMillis,
        };

        // The manager may be gone while the machine goes down; nobody is left to tell.
        _ = SetStatus(_status, status);
    }

    [LibraryImport("advapi32", EntryPoint = "StartServiceCtrlDispatcherW", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool StartDispatcher([In] TableEntry[] table);

    [LibraryImport("advapi32", EntryPoint = "RegisterServiceCtrlHandlerExW", SetLastError = true, StringMarshalling = StringMarshalling.Utf16)]
    private static partial nint RegisterHandler(string name, nint handler, nint context);

    [LibraryImport("advapi32", EntryPoint = "SetServiceStatus", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool SetStatus(nint handle, in Status status);

    [StructLayout(LayoutKind.Sequential)]
    private readonly record struct TableEntry(nint Name, nint Main);

    [StructLayout(LayoutKind.Sequential)]
    private struct Status
    {
        public uint Type;
        public uint State;
        public uint Accepted;
        public uint ExitCode;
        public uint SpecificExitCode;
        public uint Checkpoint;
        public uint WaitMillis;
    }
}
