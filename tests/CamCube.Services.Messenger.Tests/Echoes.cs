namespace CamCube.Services.Messenger.Tests;

/// <summary>Answers calls at an endpoint while a test drives the cube: to be looked after between advances.</summary>
internal sealed class Echoes(IEndpoint endpoint)
{
    /// <summary>Calls that it does not answer.</summary>
    public List<Message> Kept { get; } = [];

    /// <summary>Keeps calls.</summary>
    public bool IsSilent { get; set; }

    public int Answered { get; private set; }

    /// <summary>Answers what waits.</summary>
    public void Work()
    {
        while (endpoint.TryReceive(out Message? message))
        {
            if (IsSilent)
            {
                Kept.Add(message);
                continue;
            }

            byte[] item = message.Count > 0 ? message[0].ToArray() : [];
            Answered += endpoint.TryAnswer(message, (ushort)(message.Method + 1), item) == SendStatus.Sent ? 1 : 0;
            message.Release();
        }
    }
}
