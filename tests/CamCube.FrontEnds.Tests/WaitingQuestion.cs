using CamCube.FrontEnds.Protocols;

namespace CamCube.FrontEnds.Tests;

/// <summary>A question that ends when the test says so.</summary>
/// <param name="owner">Told of it.</param>
internal sealed class WaitingQuestion(IQuestionOwner owner) : Question
{
    public string Name { get; private set; } = "";

    public void Begin(string name, TaskCompletionSource<int> until)
    {
        Name = name;
        _ = EndAsync(until);
    }

    private async Task EndAsync(TaskCompletionSource<int> until)
    {
        await until.Task.ConfigureAwait(false);
        Mark(isDone: true);
        owner.QuestionEnded();
    }
}
