using System.Security.Cryptography;

namespace CamCube.Runtime.Engine;

/// <summary>Random numbers of one instance of a service.</summary>
internal sealed class ServiceRandom(ServiceView view) : IServerRandom
{
    private SeededRandom? _secrets;

    public Random Create(string purpose) =>
        new SeededRandom(view.OnLoop("Random.Create"), view.Slot.Definition.Id.Value, purpose);

    public void FillSecret(Span<byte> bytes)
    {
        ServerRuntime server = view.OnLoop("Random.FillSecret");
        if (server.Context.IsVirtual)
        {
            (_secrets ??= new SeededRandom(server, view.Slot.Definition.Id.Value, "secret")).NextBytes(bytes);
        }
        else
        {
            RandomNumberGenerator.Fill(bytes);
        }
    }
}
