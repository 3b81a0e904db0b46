using System.Reflection;

namespace CamCube.Abstractions.Tests;

/// <summary>What an author meets first stays small enough to be read at once.</summary>
public class ServerFaceTests
{
    /// <summary>Something new goes into a group (<see cref="IServer.Packets"/>, <see cref="IServer.Loop"/> …), or takes
    /// another's place.</summary>
    [Fact]
    public void A_server_has_at_most_24_members_at_the_top()
    {
        string[] members =
        [
            .. typeof(IServer)
                .GetMembers(BindingFlags.Public | BindingFlags.Instance)
                .Where(m => m is not MethodInfo { IsSpecialName: true })
                .Select(m => m.Name)
                .Distinct(),
        ];

        Assert.InRange(members.Length, 12, 24);
    }
}
