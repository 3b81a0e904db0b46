using System.Runtime.InteropServices;
using CamCube.Messaging;

namespace CamCube.Trees.Tests;

/// <summary>The header of a service that does nothing but pull.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
public struct Leaf : IMessageHeader<Leaf>
{
    private MessageHeader _message;

    public static ref MessageHeader MessageOf(ref Leaf header) => ref header._message;
}
