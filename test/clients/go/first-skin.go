// A first skin, through the client that oapi-codegen makes.
package main

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"mime/multipart"
	"net/http"
	"os"
)

func main() {
	ctx := context.Background()
	name, password := os.Getenv("CLOAKROOM_NAME"), os.Getenv("CLOAKROOM_PASSWORD")
	client, err := NewClientWithResponses(os.Getenv("CLOAKROOM"))
	check(err)

	refused, err := client.SignInWithResponse(ctx, SignInBody{Username: name, Password: "a wrong password"})
	check(err)
	if refused.JSON401 == nil || refused.JSON401.Msg != "Invalid username or password" {
		log.Fatal("a wrong password was not refused")
	}
	signedIn, err := client.SignInWithResponse(ctx, SignInBody{Username: name, Password: password})
	check(err)
	need(signedIn.JSON200 != nil, signedIn.Body)
	bearer := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+signedIn.JSON200.Data.Jwt)
		return nil
	}

	var form bytes.Buffer
	parts := multipart.NewWriter(&form)
	file, err := os.ReadFile(os.Getenv("SKIN"))
	check(err)
	part, err := parts.CreateFormFile("skin", "skin.png")
	check(err)
	_, err = part.Write(file)
	check(err)
	check(parts.WriteField("name", "Scout"))
	check(parts.Close())
	uploaded, err := client.UploadSkinWithBodyWithResponse(ctx, parts.FormDataContentType(), &form, bearer)
	check(err)
	need(uploaded.JSON200 != nil, uploaded.Body)

	home, err := client.GetHomeProfileWithResponse(ctx, bearer)
	check(err)
	need(home.JSON200 != nil && len(home.JSON200.Data.Skin) == 1, home.Body)
	skin := home.JSON200.Data.Skin[0]
	need(skin.Name == "Scout", home.Body)

	selected, err := client.SelectSkinWithResponse(ctx, SelectSkinBody{Skinid: skin.Uuid.String()}, bearer)
	check(err)
	need(selected.JSON200 != nil, selected.Body)

	size, kind := 64, GetHeadPictureParamsTypePlayer
	head, err := client.GetHeadPictureWithResponse(ctx, name, &GetHeadPictureParams{Size: &size, Type: &kind})
	check(err)
	need(head.StatusCode() == 200 && bytes.HasPrefix(head.Body, []byte("\x89PNG")), head.Body)
	fmt.Printf("walked: %d bytes of a head\n", len(head.Body))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func need(ok bool, body []byte) {
	if !ok {
		log.Fatal(string(body))
	}
}
