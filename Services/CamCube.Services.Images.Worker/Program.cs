using CamCube.Services.Images.Worker.Making;
using CamCube.Services.Images.Worker.Probing;
using CamCube.Services.Images.Worker.Sandbox;
using CamCube.Services.Images.Worker.Serving;

namespace CamCube.Services.Images.Worker;

/// <summary>
/// A picture worker: takes its own rights away, and makes variants of the pictures that come on its standard input.
/// With the argument <c>probe</c> it tries what it must not be able to do, and says what came of it.
/// </summary>
internal static class Program
{
    private const int NoRequest = 2;
    private const int NoLibrary = 4;
    private const int NoSecondRun = 5;

    private static int Main(string[] arguments)
    {
        if (!SecondRun.IsHere)
        {
            int error = SecondRun.Begin(arguments);
            Console.Error.WriteLine($"cannot execute itself: error {error}");
            return NoSecondRun;
        }

        try
        {
            Library.Begin();
        }
        catch (InvalidOperationException e)
        {
            Console.Error.WriteLine(e.Message);
            return NoLibrary;
        }

        List<string> lacks = [.. SecondRun.Lacks];
        CallFilter.Begin(lacks);
        if (arguments is ["probe"])
        {
            Server.Greet(string.Join('\n', Probe.Run()));
            return Server.Run() ? 0 : NoRequest;
        }

        string guards = lacks.Count == 0 ? "" : $"; this kernel lacks: {string.Join(", ", lacks)}";
        Server.Greet($"libvips {Library.Version}{guards}");
        return Server.Run() ? 0 : NoRequest;
    }
}
