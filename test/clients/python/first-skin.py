"""A first skin, through the client that openapi-python-client makes."""

import os

from cloakroom_client import AuthenticatedClient, Client
from cloakroom_client.api.auth import sign_in
from cloakroom_client.api.home import get_home_profile, select_skin, upload_skin
from cloakroom_client.api.skin_and_cape_delivery import get_head_picture
from cloakroom_client.models import (
    Envelope,
    Failure,
    GetHeadPictureType,
    HomeProfileEnvelope,
    SelectSkinBody,
    SignInBody,
    TokenEnvelope,
    UploadSkinBody,
)
from cloakroom_client.types import File

address = os.environ["CLOAKROOM"]
name = os.environ["CLOAKROOM_NAME"]
password = os.environ["CLOAKROOM_PASSWORD"]
client = Client(base_url=address)

refused = sign_in.sync(client=client, body=SignInBody(username=name, password="a wrong password"))
assert isinstance(refused, Failure) and refused.msg == "Invalid username or password", refused

signed_in = sign_in.sync(client=client, body=SignInBody(username=name, password=password))
assert isinstance(signed_in, TokenEnvelope), signed_in
member = AuthenticatedClient(base_url=address, token=signed_in.data.jwt)

with open(os.environ["SKIN"], "rb") as png:
    skin = File(payload=png, file_name="skin.png", mime_type="image/png")
    uploaded = upload_skin.sync(client=member, body=UploadSkinBody(skin=skin, name="Scout"))
assert isinstance(uploaded, Envelope), uploaded

home = get_home_profile.sync(client=member)
assert isinstance(home, HomeProfileEnvelope) and home.data.skin[0].name == "Scout", home

selected = select_skin.sync(client=member, body=SelectSkinBody(skinid=str(home.data.skin[0].uuid)))
assert isinstance(selected, Envelope), selected

head = get_head_picture.sync(name, client=client, size=64, type_=GetHeadPictureType.PLAYER)
assert isinstance(head, File), head
picture = head.payload.read()
assert picture.startswith(b"\x89PNG"), picture[:16]
print(f"walked: {len(picture)} bytes of a head")
